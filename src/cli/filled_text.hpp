#pragma once

#include <string>

#include "cli/failure.hpp"
#include "cli/handles.hpp"

namespace dpadapt::cli {

/** What a call of the library writes, whatever its size.
 *  @param call  function(out, out_len, needed), returns a status. */
template <typename Call>
[[nodiscard]] std::string filled_text(const Call &call) {
    std::size_t size = 0;
    const dpa_status status = call(nullptr, 0, &size);
    if (status != DPA_E_BUFFER) check(status);
    std::string text(size, '\0');
    check(call(text.data(), size, nullptr));
    text.pop_back();  // the final zero
    return text;
}

}  // namespace dpadapt::cli
