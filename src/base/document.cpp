#include "base/document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"

namespace dpadapt {
namespace {

void write_quoted(std::string_view text, std::string &out) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            out += escape.data();
        } else {
            out += c;
        }
    }
    out += '"';
}

/** Whether it is a number, or a truth value, so that it cannot hold other JSON. */
bool is_plain_value(std::string_view value) {
    return value == "true" || value == "false" ||
           (!value.empty() && value.find_first_not_of("0123456789+-.e") == std::string_view::npos);
}

}  // namespace

Document::Document(double value)
    : kind_(std::isfinite(value) ? Kind::plain : Kind::null),
      value_(std::isfinite(value) ? to_text(value) : "null") {}

Document &Document::set(std::string_view name, Document value) & {
    members_.emplace_back(name, std::move(value));
    return *this;
}

Document &Document::replace(std::string_view name, Document value) & {
    std::erase_if(members_, [&](const auto &member) { return member.first == name; });
    return set(name, std::move(value));
}

Document &Document::set_for_machines(std::string_view name, Document value) & {
    value.for_people_ = false;
    return set(name, std::move(value));
}

Document &Document::add(Document value) & {
    members_.emplace_back(std::string(), std::move(value));
    return *this;
}

std::string Document::json() const {
    std::string out;
    write_json(out);
    return out;
}

std::string Document::text() const {
    std::string out;
    write_text(out, 0);
    return out;
}

void Document::write(bytes::Writer &write) const {
    bytes::each(write, kind_, value_, members_.size());
    for (const auto &[name, value] : members_) {
        write(name);
        value.write(write);
    }
}

Document Document::read(bytes::Reader &read, int depth) {
    constexpr int kMostDepth = 32;
    Document found;
    bytes::each(read, found.kind_, found.value_);
    std::size_t left = read.length();
    const bool is_known = found.kind_ >= Kind::object && found.kind_ <= Kind::text;
    if (!is_known || depth > kMostDepth || (found.is_leaf() && left > 0) ||
        (!found.is_leaf() && !found.value_.empty()) ||
        (found.kind_ == Kind::null && found.value_ != "null") ||
        (found.kind_ == Kind::plain && !is_plain_value(found.value_)))
        read.damaged("a value in it is none");
    for (; left > 0; --left) {
        std::string name;
        read(name);
        found.members_.emplace_back(std::move(name), Document::read(read, depth + 1));
    }
    return found;
}

void Document::write_json(std::string &out) const {
    if (kind_ == Kind::text) return write_quoted(value_, out);
    if (is_leaf()) {
        out += value_;
        return;
    }
    out += kind_ == Kind::object ? '{' : '[';
    bool first = true;
    for (const auto &[name, value] : members_) {
        if (!first) out += ',';
        first = false;
        if (kind_ == Kind::object) {
            write_quoted(name, out);
            out += ':';
        }
        value.write_json(out);
    }
    out += kind_ == Kind::object ? '}' : ']';
}

void Document::write_text(std::string &out, std::size_t depth) const {
    const std::string indent(2 * depth, ' ');
    for (const auto &[name, value] : members_) {
        if (!value.for_people_) continue;
        out += indent;
        if (kind_ == Kind::list) {
            out += "- ";
        } else {
            std::string words = name;
            std::replace(words.begin(), words.end(), '_', ' ');
            out += words + ':';
            if (value.is_leaf()) out += ' ';
        }
        if (value.is_leaf()) {
            out += value.kind_ == Kind::null ? "-" : value.value_;
            out += '\n';
        } else if (kind_ == Kind::list) {
            // The first member follows the dash.
            std::string block;
            value.write_text(block, depth + 1);
            out += block.substr(std::min(block.size(), 2 * depth + 2));
        } else {
            out += '\n';
            value.write_text(out, depth + 1);
        }
    }
}

}  // namespace dpadapt
