#pragma once

#include <dpadapt/status.h>
#include <dpadapt/version.h>

#include <stdexcept>
#include <string>

#include "base/multiversion.hpp"  // here, because every file includes this one

namespace dpadapt {

/** A failure with the status that the caller of the C API gets; the text becomes dpa_last_error().
 */
class Error : public std::runtime_error {
  public:
    Error(dpa_status status, const std::string &message)
        : std::runtime_error(message), status_(status) {}

    [[nodiscard]] dpa_status status() const noexcept { return status_; }

  private:
    dpa_status status_;
};

#define DPA_TEXT_OF(x) #x
#define DPA_TEXT(x) DPA_TEXT_OF(x)

inline constexpr const char *kVersion =
    DPA_TEXT(DPA_VERSION_MAJOR) "." DPA_TEXT(DPA_VERSION_MINOR) "." DPA_TEXT(DPA_VERSION_PATCH);

}  // namespace dpadapt
