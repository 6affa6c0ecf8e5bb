#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schema/expression.hpp"

namespace dpadapt::schema {
namespace {

using Kind = Expression::Step::Kind;

constexpr std::size_t kMostSteps = 10000;
constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMostDegree = 20;

/** How closely operators bind. */
constexpr int kOr = 1, kAnd = 2, kNot = 3, kComparison = 4, kSum = 5, kProduct = 6, kSign = 7,
              kPower = 8;

/** NaN if one of them is, else 1 or 0. */
template <typename Holds>
double truth(double x, double y) {
    return std::isnan(x) || std::isnan(y) ? x + y : Holds()(x, y) ? 1.0 : 0.0;
}

double invert(double x) { return truth<std::equal_to<>>(x, 0.0); }

/** Three-valued: one operand may settle it whatever the other would be. */
double either(double x, double y) {
    const auto is_one = [](double a) { return !std::isnan(a) && a != 0.0; };
    return is_one(x) || is_one(y) ? 1.0 : truth<std::logical_or<>>(x, y);
}

double both(double x, double y) {
    return x == 0.0 || y == 0.0 ? 0.0 : truth<std::logical_and<>>(x, y);
}

struct Operator {
    std::string_view text;
    int binds;
    double (*value)(double, double);
};
constexpr Operator kOperators[] = {
    {"|", kOr, either},
    {"&", kAnd, both},
    {"==", kComparison, truth<std::equal_to<>>},
    {"!=", kComparison, truth<std::not_equal_to<>>},
    {"<=", kComparison, truth<std::less_equal<>>},
    {">=", kComparison, truth<std::greater_equal<>>},
    {"<", kComparison, truth<std::less<>>},
    {">", kComparison, truth<std::greater<>>},
    {"+", kSum, [](double x, double y) { return x + y; }},
    {"-", kSum, [](double x, double y) { return x - y; }},
    {"*", kProduct, [](double x, double y) { return x * y; }},
    {"/", kProduct, [](double x, double y) { return x / y; }},
    {"^", kPower, [](double x, double y) { return y == 2.0 ? x * x : std::pow(x, y); }}};

constexpr std::pair<std::string_view, double (*)(double, double)> kOfTwo[] = {
    {"min", [](double x, double y) { return std::isnan(x) || x < y ? x : y; }},
    {"max", [](double x, double y) { return std::isnan(x) || x > y ? x : y; }}};

constexpr std::pair<std::string_view, double (*)(double)> kOfOne[] = {
    {"abs", [](double x) { return std::abs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceiling", [](double x) { return std::ceil(x); }}};

const auto *find(const auto &functions, std::string_view name) {
    const auto *const found =
        std::ranges::find(functions, name, [](const auto &f) { return f.first; });
    return found == std::end(functions) ? nullptr : found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/** All letters beyond ASCII may be in a name without quotes. */
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80U;
}

/** Reads an expression into steps, an operator after its operands. */
class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    /** "NAME =" at the begin; empty, and nothing is read, where it is not there. */
    std::string read_name() {
        std::string found = name();
        if (!found.empty() && !is_next("==") && take("=")) return found;
        at_ = 0;
        return {};
    }

    /** All that is left. */
    void read_all() {
        expression(kOr);
        if (at_ < text_.size()) refuse("an operator is missing");
        if (names.empty()) refuse("it reads no column");
    }

    /** Where it stands. */
    [[nodiscard]] std::size_t place() const { return at_; }

    std::vector<Expression::Step> steps;
    std::vector<std::string> names;

  private:
    [[noreturn]] void refuse(const std::string &what) const {
        throw Error(DPA_E_INVALID_ARGUMENT, in_quotes(text_) + " cannot be read: " + what +
                                                " (character " + std::to_string(at_ + 1) + ')');
    }

    bool is_next(std::string_view word) {
        at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size());
        return text_.substr(at_).starts_with(word);
    }

    bool take(std::string_view word) {
        const bool is_there = is_next(word);
        if (is_there) at_ += word.size();
        return is_there;
    }

    void expect(std::string_view word) {
        if (!take(word)) refuse('"' + std::string(word) + "\" is missing");
    }

    /** A quote within it stands twice. */
    std::string quoted(char quote) {
        std::string found;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == quote && !text_.substr(++at_).starts_with(quote)) return found;
            found += text_[at_];
        }
        refuse("a quote is not closed");
    }

    /** Empty where none begins. */
    std::string name() {
        if (is_next("`")) return quoted('`');
        const std::size_t begin = at_;
        if (text_.substr(at_).starts_with('.') && at_ + 1 < text_.size() &&
            is_digit(text_[at_ + 1]))
            return {};
        while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.' ||
                                      (at_ > begin && is_digit(text_[at_]))))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    double number() {
        const bool is_negative = take("-");
        std::size_t end = at_;
        while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            std::size_t digits = end + 1;
            if (digits < text_.size() && (text_[digits] == '-' || text_[digits] == '+')) ++digits;
            if (digits < text_.size() && is_digit(text_[digits])) end = digits;
            while (end < text_.size() && is_digit(text_[end])) ++end;
        }
        const std::optional<double> value = parse_number(text_.substr(at_, end - at_));
        if (!value || !std::isfinite(*value)) refuse("a name or a number is missing");
        at_ = end;
        return is_negative ? -*value : *value;
    }

    /** @param operands  That it takes. */
    void add(Expression::Step step, std::size_t operands) {
        operands_ = operands_ + 1 - operands;
        if (operands_ > Expression::kMostOperands || steps.size() == kMostSteps)
            refuse("it is too long");
        steps.push_back(std::move(step));
    }

    /** @param least  Operators that bind less are left. */
    void expression(int least) {
        if (++depth_ > kDeepest) refuse("it is too deep");
        const std::size_t begin = steps.size();
        operand(least);
        bool is_text = false;  // that was compared
        for (int before = 0;;) {
            const auto *const found = std::ranges::find_if(
                kOperators, [&](const Operator &one) { return is_next(one.text); });
            if (found == std::end(kOperators) || found->binds < least) break;  // blanks are skipped
            if (is_text ? found->binds >= kComparison
                        : found->binds == kComparison && before == found->binds)
                refuse("the comparison needs parentheses");
            before = found->binds;
            (void)take(found->text);
            if (is_next("\"")) {
                const bool is_column =
                    steps.size() == begin + 1 && steps.back().kind == Kind::column;
                if (!is_column || found->binds != kComparison || found->text.back() != '=' ||
                    found->text[0] == '<' || found->text[0] == '>')
                    refuse("a text is compared as in COLUMN == \"text\"");
                level(found->text[0] == '=');
                is_text = true;
                continue;
            }
            expression(found->binds == kPower ? kSign : found->binds + 1);  // 2^3^2 is 2^9
            add({.kind = Kind::of_two, .of_two = found->value}, 2);
        }
        --depth_;
    }

    void operand(int least) {
        if (least <= kNot && !is_next("!=") && take("!")) {
            expression(kNot);
            return add({.kind = Kind::of_one, .of_one = invert}, 1);
        }
        if (take("-")) {
            expression(kSign);
            return add({.kind = Kind::of_one, .of_one = [](double x) { return -x; }}, 1);
        }
        if (take("+")) return expression(kSign);
        if (take("(")) {
            expression(kOr);
            return expect(")");
        }
        const bool is_quoted = is_next("`");
        const std::string found = name();
        if (found.empty() && !is_quoted)
            return add({.kind = Kind::constant, .number = number()}, 0);
        if (!is_quoted && take("(")) return call(found);
        const auto place =
            static_cast<std::size_t>(std::ranges::find(names, found) - names.begin());
        if (place == names.size()) names.push_back(found);
        add({.kind = Kind::column, .place = place}, 0);
    }

    void call(const std::string &function) {
        const auto *const of_one = find(kOfOne, function);
        const auto *const of_two = find(kOfTwo, function);
        const bool chooses = function == "ifelse";
        if (of_one == nullptr && of_two == nullptr && !chooses && function != "pieces")
            refuse("no function is called " + in_quotes(function));
        expression(kOr);
        if (function == "pieces") return pieces();
        const std::size_t count = of_one != nullptr ? 1 : of_two != nullptr ? 2 : 3;
        for (std::size_t k = 1; k < count; ++k) {
            expect(",");
            expression(kOr);
        }
        expect(")");
        if (of_one != nullptr) return add({.kind = Kind::of_one, .of_one = of_one->second}, count);
        if (of_two != nullptr) return add({.kind = Kind::of_two, .of_two = of_two->second}, count);
        add({.kind = Kind::choose}, count);
    }

    void level(bool is_equal) {
        steps.back().kind = Kind::is_level;
        steps.back().level = quoted('"');
        if (!is_equal) add({.kind = Kind::of_one, .of_one = invert}, 1);
    }

    /** pieces(VALUE, DEGREE, BEGIN, COEFFICIENTS, BEGIN, ...) */
    void pieces() {
        std::vector<double> numbers;
        while (take(",")) {
            if (numbers.size() == kMostSteps) refuse("it is too long");
            numbers.push_back(number());
        }
        expect(")");
        const double degree = numbers.empty() ? -1.0 : numbers.front();
        if (!(degree >= 0.0 && degree <= kMostDegree) || degree != std::floor(degree))
            refuse("pieces() needs a degree from 0 to " + std::to_string(kMostDegree));
        const std::size_t each = static_cast<std::size_t>(degree) + 2;
        if (numbers.size() < 1 + each || (numbers.size() - 1) % each != 0)
            refuse("each piece has a begin and " + std::to_string(each - 1) + " coefficients");
        for (std::size_t k = 1 + each; k < numbers.size(); k += each)
            if (!(numbers[k] > numbers[k - each])) refuse("pieces must begin one after the other");
        add({.kind = Kind::pieces, .pieces = std::move(numbers)}, 1);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t operands_ = 0;
};

}  // namespace

Expression Expression::parse(std::string_view text) {
    Parser parser(text);
    parser.read_all();
    Expression found;
    found.text_ = text;
    found.steps_ = std::move(parser.steps);
    found.names_ = std::move(parser.names);
    return found;
}

Computed Computed::parse(std::string_view text) {
    text = without_blanks_around(text);
    Parser parser(text);
    std::string name = parser.read_name();
    const std::string_view expression = without_blanks_around(text.substr(parser.place()));
    return {name.empty() ? std::string(expression) : std::move(name),
            Expression::parse(expression)};
}

}  // namespace dpadapt::schema
