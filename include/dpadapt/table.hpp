/** Tables of numbers and texts, and how they become features and labels.
 *  Part of dpadapt.hpp.
 */
#ifndef DPADAPT_TABLE_HPP
#define DPADAPT_TABLE_HPP

#include <dpadapt/solution.hpp>

namespace dpa {

/** Columns of numbers and texts (schema.h). */
class Table : public Handle<dpa_table, dpa_table_destroy> {
  public:
    explicit Table(size_t rows)
        : Handle(made([&](dpa_table **out) { return dpa_table_create(rows, out); })) {}
    explicit Table(ArrowArrayStream *rows)
        : Handle(made([&](dpa_table **out) { return dpa_table_create_arrow(rows, out); })) {}
    Table &add(const std::string &name, std::span<const double> values) {
        check(dpa_table_add_numbers(get(), name.c_str(), values.data(), values.size()));
        return *this;
    }
    Table &add(const std::string &name, std::span<const char *const> values) {
        check(dpa_table_add_texts(get(), name.c_str(), values.data(), values.size()));
        return *this;
    }
    Table &add(const std::string &name, std::span<const int32_t> codes,
               std::span<const char *const> levels) {
        check(dpa_table_add_levels(get(), name.c_str(), codes.data(), codes.size(), levels.data(),
                                   levels.size()));
        return *this;
    }
    /** A rule for the schemas that are made from the table (dpa_table_hint). */
    Table &hint(const std::string &what, const std::string &value) {
        check(dpa_table_hint(get(), what.c_str(), value.c_str()));
        return *this;
    }
    [[nodiscard]] size_t rows() const {
        return number_of<size_t>([&](size_t *out) { return dpa_table_row_count(get(), out); });
    }
};

/** How columns become features and labels (schema.h). */
class Schema : public Handle<dpa_schema, dpa_schema_destroy> {
  public:
    /** From public rows alone. */
    Schema(const Table &table, const std::string &label, const Options &options)
        : Handle(made([&](dpa_schema **out) {
              return dpa_schema_learn(table.get(), label.c_str(), options.get(), out);
          })) {}
    static Schema from_bytes(std::span<const uint8_t> data) {
        return Schema(made([&](dpa_schema **out) {
            return dpa_schema_deserialize(data.data(), data.size(), out);
        }));
    }
    [[nodiscard]] std::vector<uint8_t> bytes() const {
        return bytes_of([&](uint8_t *out, size_t length, size_t *needed) {
            return dpa_schema_serialize(get(), out, length, needed);
        });
    }
    [[nodiscard]] size_t features() const {
        return number_of<size_t>([&](size_t *out) { return dpa_schema_feature_count(get(), out); });
    }
    [[nodiscard]] std::string feature(size_t index) const { return text("feature", index); }
    [[nodiscard]] std::string label(double value) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_label_text(get(), value, out, length, needed);
        });
    }
    [[nodiscard]] std::string known_labels() const { return text("labels"); }
    [[nodiscard]] std::string describe() const { return text("description"); }
    /** A text of dpa_schema_text. */
    [[nodiscard]] std::string text(const std::string &name, size_t index = 0) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_text(get(), name.c_str(), index, out, length, needed);
        });
    }
    /** Sets `loss` by that of learn() where it was not set, and by the labels. */
    void set_loss(Options &options) const { check(dpa_schema_set_loss(get(), options.get())); }

    struct Coded {
        std::vector<double> x, y;
        size_t columns;
        [[nodiscard]] Rows rows() const { return {x, columns}; }
    };
    /** Features row after row, and labels where they are wanted. */
    [[nodiscard]] Coded apply(const Table &table, bool labels = true) const {
        const size_t rows = table.rows();
        Coded coded{std::vector<double>(rows * features()), std::vector<double>(labels ? rows : 0),
                    features()};
        check(dpa_schema_apply(get(), table.get(), coded.x.data(), coded.x.size(),
                               labels ? coded.y.data() : nullptr, coded.y.size()));
        return coded;
    }
    /** Schema and predictor as a model file, in JSON. */
    [[nodiscard]] std::string model(const Solution &solution, bool weights = false) const {
        return text_of([&](char *out, size_t length, size_t *needed) {
            return dpa_schema_model(get(), solution.get(), weights ? 1 : 0, out, length, needed);
        });
    }

  private:
    using Handle::Handle;
};

}  // namespace dpa

#endif
