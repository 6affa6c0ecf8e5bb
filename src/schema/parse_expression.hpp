#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/expression.hpp"

namespace dpadapt::schema {

/** Numbers that steps may have on their stack. */
inline constexpr std::size_t kMostOperands = 64;

/** Reads an expression into steps, an operator after its operands. */
class ExpressionParser {
  public:
    explicit ExpressionParser(std::string_view text) : text_(text) {}

    /** "NAME =" at the begin; empty, and nothing is read, where it is not there. */
    [[nodiscard]] std::string read_name();
    /** Where it stands. */
    [[nodiscard]] std::size_t place() const { return at_; }
    /** All that is left. */
    void read_all();

    std::vector<Expression::Step> steps;
    std::vector<std::string> names;

  private:
    [[noreturn]] void refuse(const std::string &what) const;
    [[nodiscard]] bool is_next(std::string_view word);
    [[nodiscard]] bool take(std::string_view word);
    void expect(std::string_view word);
    [[nodiscard]] std::string quoted(char quote);
    [[nodiscard]] std::string name();
    [[nodiscard]] double number();
    /** @param operands  That it takes. */
    void add(Expression::Step step, std::size_t operands);
    /** @param least  Operators that bind less are left. */
    void expression(int least);
    void operand(int least);
    void call(const std::string &function);
    void level(bool is_equal);
    void pieces();

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t operands_ = 0;
};

}  // namespace dpadapt::schema
