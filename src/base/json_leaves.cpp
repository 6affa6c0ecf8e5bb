#include "base/json_leaves.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDigits = "0123456789";
constexpr int kMostDepth = 32;

[[noreturn]] void refuse(const std::string &what) { throw Error(DPA_E_FORMAT, what); }

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::vector<JsonLeaf> all() {
        value("", 0);
        skip_blanks();
        if (at_ != text_.size()) wrong();
        return std::move(leaves_);
    }

  private:
    [[noreturn]] void wrong() const {
        refuse("is not JSON from byte " + std::to_string(at_) + " on");
    }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }
    void expect(char letter) {
        if (!take(letter)) wrong();
    }
    bool take(char letter) {
        if (peek() != letter) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    void digits() {
        if (kDigits.find(peek()) == std::string_view::npos || at_ >= text_.size()) wrong();
        at_ = std::min(text_.find_first_not_of(kDigits, at_), text_.size());
    }

    void escape() {
        if (!take('u')) {
            if (std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) wrong();
            ++at_;
            return;
        }
        for (int k = 0; k < 4; ++k, ++at_)
            if (std::string_view("0123456789abcdefABCDEF").find(peek()) == std::string_view::npos)
                wrong();
    }

    /** With its quotes. */
    std::string_view string() {
        const std::size_t begin = at_;
        expect('"');
        while (!take('"')) {
            if (static_cast<std::uint8_t>(peek()) < 0x20) wrong();  // the end of the text, too
            if (take('\\'))
                escape();
            else
                ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }

    void number() {
        (void)take('-');
        if (!take('0')) digits();
        if (take('.')) digits();
        if (take('e') || take('E')) {
            if (!take('+')) (void)take('-');
            digits();
        }
    }

    void object(const std::string &path, int depth) {
        std::set<std::string_view> names;
        do {
            skip_blanks();
            const std::string_view name = string();
            const std::string inside(name.substr(1, name.size() - 2));
            const std::string place = path.empty() ? inside : path + '/' + inside;
            if (!names.insert(name).second) refuse('"' + place + "\" is there twice");
            skip_blanks();
            expect(':');
            value(place, depth + 1);
            skip_blanks();
        } while (take(','));
        expect('}');
    }

    void list(const std::string &path, int depth) {
        std::size_t count = 0;
        do {
            value(path + '/' + std::to_string(count++), depth + 1);
            skip_blanks();
        } while (take(','));
        expect(']');
    }

    /** Whether the brackets that have opened close at once. */
    bool closes(char end, const std::string &path, const char *brackets) {
        skip_blanks();
        if (!take(end)) return false;
        leaves_.push_back({path, brackets});
        return true;
    }

    void value(const std::string &path, int depth) {
        if (depth > kMostDepth) refuse('"' + path + "\" is nested too deeply");
        skip_blanks();
        if (take('{')) {
            if (!closes('}', path, "{}")) object(path, depth);
        } else if (take('[')) {
            if (!closes(']', path, "[]")) list(path, depth);
        } else {
            const std::size_t begin = at_;
            if (peek() == '"')
                (void)string();
            else if (!take(std::string_view("null")) && !take(std::string_view("true")) &&
                     !take(std::string_view("false")))
                number();
            leaves_.push_back({path, std::string(text_.substr(begin, at_ - begin))});
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<JsonLeaf> leaves_;
};

const JsonLeaf *find(const std::vector<JsonLeaf> &leaves, std::string_view path) {
    const auto found = std::find_if(leaves.begin(), leaves.end(),
                                    [&](const JsonLeaf &leaf) { return leaf.path == path; });
    return found == leaves.end() ? nullptr : &*found;
}

/** Of long values what follows from a little before that place. */
std::string part(const std::string &value, std::size_t place) {
    constexpr std::size_t kBefore = 40;
    constexpr std::size_t kMost = 160;
    const std::size_t begin = value.size() <= kMost || place < kBefore ? 0 : place - kBefore;
    return (begin > 0 ? "..." : "") + value.substr(begin, kMost) +
           (value.size() - begin > kMost ? "..." : "");
}

/** Numbers may be written otherwise. */
bool same_value(const std::string &one, const std::string &other) {
    if (one == other) return true;
    const auto first = parse_number(one);
    const auto second = parse_number(other);
    return first && second && *first == *second;
}

[[noreturn]] void differ(const JsonLeaf &found, const JsonLeaf &wanted) {
    const auto at = std::mismatch(found.value.begin(), found.value.end(), wanted.value.begin(),
                                  wanted.value.end())
                        .first;
    const auto place = static_cast<std::size_t>(at - found.value.begin());
    refuse('"' + found.path + "\" is " + part(found.value, place) + ", but must be " +
           part(wanted.value, place));
}

}  // namespace

std::vector<JsonLeaf> json_leaves(std::string_view text) { return Parser(text).all(); }

std::string string_at(const std::vector<JsonLeaf> &leaves, std::string_view path) {
    const JsonLeaf *leaf = find(leaves, path);
    const std::string name = '"' + std::string(path) + '"';
    if (leaf == nullptr) refuse(name + " is missing");
    if (leaf->value.front() != '"' || leaf->value.find('\\') != std::string::npos)
        refuse(name + " is no text without escapes");
    return leaf->value.substr(1, leaf->value.size() - 2);
}

void check_same(const std::vector<JsonLeaf> &found, const std::vector<JsonLeaf> &wanted) {
    for (std::size_t k = 0; k < std::max(found.size(), wanted.size()); ++k) {
        const JsonLeaf *one = k < found.size() ? &found[k] : nullptr;
        const JsonLeaf *other = k < wanted.size() ? &wanted[k] : nullptr;
        if (one != nullptr && other != nullptr && one->path == other->path) {
            if (!same_value(one->value, other->value)) differ(*one, *other);
        } else if (other != nullptr && find(found, other->path) == nullptr) {
            refuse('"' + other->path + "\" is missing");
        } else if (one != nullptr && find(wanted, one->path) == nullptr) {
            refuse('"' + one->path + "\" is unknown");
        } else {
            refuse('"' + (one == nullptr ? other : one)->path + "\" is not where it must be");
        }
    }
}

}  // namespace dpadapt
