// Writes OptionSetters.java: a constant and a method for every option of the library's table.
#include <cctype>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Row {
    std::string name, tier, type, preset, values, readers, doc;
};

const Row kTable[] = {
#define DPA_OPTION(name, tier, type, preset, values, readers, doc) \
    {#name, #tier, #type, preset, values, readers, doc},
#include "engine/options.def"
};

/** kappa_inf: kappaInf, or with a capital KappaInf. */
std::string camel(const std::string &name, bool capital) {
    std::string result;
    bool upper = capital;
    for (const char c : name) {
        const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (letter)
            result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        upper = !letter;
    }
    return result;
}

std::string capitals(std::string name) {
    for (char &c : name)
        c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

/** For Javadoc: no character is markup. */
std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text)
        result += std::string("<>&@{}\\").find(c) == std::string::npos
                      ? std::string(1, c)
                      : "&#" + std::to_string(static_cast<int>(c)) + ';';
    return result;
}

/** The words before the interval. */
std::vector<std::string> words(const std::string &values) {
    std::vector<std::string> list;
    std::string word;
    for (const char c : values.substr(0, values.find_first_of("[(")) + ',') {
        if (c != ',' && c != ' ') word += c;
        if (c != ',' || word.empty()) continue;
        if (word != "numbers") list.push_back(word);
        word.clear();
    }
    return list;
}

std::string doc(const Row &row, const std::string &rest) {
    return "\n    /**\n     * " + escaped(row.doc) +
           "\n     *\n     * <p>Values: " + escaped(row.values) + "; default " +
           escaped(row.preset) + "; tier " + row.tier + "; for " + row.readers + ".\n     *\n" +
           rest + "     * @return these options\n     */\n";
}

std::string setter(const Row &row, const std::string &type, const std::string &value) {
    const std::string argument = "(" + type + " value) {\n";
    return doc(row, "     * @param value the value\n") + "    public Options " +
           camel(row.name, false) + argument + "        return set(\"" + row.name + "\", " + value +
           ");\n    }\n";
}

std::string word_setter(const Row &row, const std::string &word) {
    return "\n    /**\n     * Sets {@code " + row.name + "} to " + escaped(word) + ", which " +
           (word == row.preset ? "is the default" : "is one of its words") +
           ".\n     *\n     * @return these options\n     */\n    public Options " +
           camel(row.name, false) + camel(word, true) + "() {\n        return set(\"" + row.name +
           "\", \"" + word + "\");\n    }\n";
}

std::string choice(const Row &row) {
    const std::string type = camel(row.name, true) + "Choice";
    std::string text =
        "\n    /** Words of {@code " + row.name + "}. */\n    public enum " + type + " {\n";
    const std::vector<std::string> list = words(row.values);
    for (std::size_t i = 0; i < list.size(); ++i)
        text += "        /** {@code " + list[i] + "}. */\n        " + capitals(list[i]) + "(\"" +
                list[i] + "\")" + (i + 1 < list.size() ? ",\n" : ";\n");
    text += "\n        final String word;\n\n        " + type +
            "(String word) {\n            this.word = word;\n        }\n    }\n";
    return text + setter(row, type, "Check.notNull(value, \"value\").word");
}

std::string method(const Row &row) {
    if (row.type == "choice") return choice(row);
    if (row.type == "boolean") return setter(row, "boolean", "value");
    const bool vector = row.type == "vector";
    std::string text = row.type == "integer" ? setter(row, "long", "value")
                       : vector              ? setter(row, "double...", "numbers(value)")
                                             : setter(row, "double", "value");
    for (const std::string &word : words(row.values)) text += word_setter(row, word);
    return text;
}

std::string file() {
    std::string text =
        "package org.dpadapt;\n\n/**\n * A constant and a method for every option of the library, "
        "made from its table. {@link Options} has them.\n */\n"
        "public abstract sealed class OptionSetters permits Options {\n";
    for (const Row &row : kTable)
        text += "    /** Name of the option {@code " + row.name +
                "}. */\n    public static final String " + capitals(row.name) + " = \"" + row.name +
                "\";\n\n";
    text +=
        "    OptionSetters() {}\n\n"
        "    abstract Options set(String name, double value);\n\n"
        "    abstract Options set(String name, long value);\n\n"
        "    abstract Options set(String name, boolean value);\n\n"
        "    abstract Options set(String name, String value);\n\n"
        "    private static String numbers(double[] values) {\n"
        "        StringBuilder text = new StringBuilder();\n"
        "        for (double value : Check.notNull(values, \"value\"))\n"
        "            text.append(text.length() == 0 ? \"\" : \" \").append(value);\n"
        "        return text.toString();\n    }\n";
    for (const Row &row : kTable) text += method(row);
    return text + "}\n";
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    std::ofstream out(argv[1]);
    out << file();
    out.close();
    if (out) return 0;
    std::cerr << argv[1] << ": cannot be written\n";
    return 1;
}
