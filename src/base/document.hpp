#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace dpadapt {

/** An ordered tree of named values, written as JSON, or as text for people without the values set
 *  for machines. Numbers have all their digits; those that are not finite are null. */
class Document {
  public:
    /** An object. */
    Document() : kind_(Kind::object) {}
    [[nodiscard]] static Document list() { return Document(Kind::list, {}); }

    Document(std::nullptr_t /*unknown*/) : Document(Kind::null, "null") {}
    Document(bool value) : Document(Kind::plain, value ? "true" : "false") {}
    Document(std::integral auto value) : Document(Kind::plain, std::to_string(value)) {}
    Document(double value);
    Document(const char *value) : Document(Kind::text, value) {}
    Document(std::string value) : Document(Kind::text, std::move(value)) {}

    Document &set(std::string_view name, Document value) &;  ///< of an object
    Document &set_for_machines(std::string_view name,
                               Document value) &;                ///< the text leaves it out
    Document &replace(std::string_view name, Document value) &;  ///< or adds it
    Document &add(Document value) &;                             ///< to a list

    /** For a temporary, which is moved, not copied: reports may have thousands of entries. */
    Document &&set(std::string_view name, Document value) && {
        return std::move(set(name, std::move(value)));
    }
    Document &&set_for_machines(std::string_view name, Document value) && {
        return std::move(set_for_machines(name, std::move(value)));
    }
    Document &&add(Document value) && { return std::move(add(std::move(value))); }

    [[nodiscard]] std::string json() const;
    [[nodiscard]] std::string text() const;

    /** Writes a document that has no values for machines alone. */
    void write(bytes::Writer &write) const;
    /** Reads what write() wrote; damaged() for anything else. */
    [[nodiscard]] static Document read(bytes::Reader &read, int depth = 0);

  private:
    enum class Kind { object, list, null, plain, text };
    Document(Kind kind, std::string value) : kind_(kind), value_(std::move(value)) {}

    void write_json(std::string &out) const;
    void write_text(std::string &out, std::size_t depth) const;
    [[nodiscard]] bool is_leaf() const { return kind_ != Kind::object && kind_ != Kind::list; }

    Kind kind_;
    std::string value_;
    bool for_people_ = true;
    std::vector<std::pair<std::string, Document>> members_;  ///< of a list: with empty names
};

}  // namespace dpadapt
