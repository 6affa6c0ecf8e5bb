#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpadapt::capi {

/** Names of the members of a model file, a JSON object, that hold saved bytes in base64. */
constexpr std::string_view kSolutionMember = "model";
constexpr std::string_view kSchemaMember = "schema_bytes";

/** Whether the bytes are no saved object, but may be a model file, which has such inside. */
[[nodiscard]] bool is_model_text(std::span<const std::uint8_t> data);

/** The string of a member of the outermost object as it is written; empty if there is none. */
[[nodiscard]] std::string_view string_member(std::string_view json, std::string_view name);

/** The bytes of that member of a model file; Error(DPA_E_FORMAT) without any. */
[[nodiscard]] std::vector<std::uint8_t> member_bytes(std::span<const std::uint8_t> data,
                                                     std::string_view name);

/** Error(DPA_E_FORMAT) for a model file whose schema and predictor differ in their features. */
void check_features(std::span<const std::uint8_t> data);

/** Base64. */
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

/** What is read from the bytes, or from the bytes inside of a model file. */
template <typename Read>
auto read_saved(std::span<const std::uint8_t> data, std::string_view member, const Read &read) {
    if (!is_model_text(data)) return read(data);
    const std::vector<std::uint8_t> inside = member_bytes(data, member);
    return read(std::span<const std::uint8_t>(inside));
}

}  // namespace dpadapt::capi
