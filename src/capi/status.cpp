#include <dpadapt/status.h>

#include <algorithm>
#include <array>

#include "base/document.hpp"
#include "base/error.hpp"
#include "capi/guard.hpp"
#include "linalg/blas.hpp"

using namespace dpadapt;

namespace {

thread_local std::array<char, 1024> build_facts{};

}  // namespace

const char *dpa_version(void) { return kVersion; }

const char *dpa_build_info(void) {
    const dpa_status status = capi::guard("dpa_build_info", [] {
        const std::string facts = Document()
                                      .set("version", kVersion)
                                      .set("compiler", __VERSION__)
                                      .set("flags", DPA_BUILD_FLAGS)
                                      .set("armadillo", linalg::armadillo_version())
                                      .set("blas", linalg::blas_description())
                                      .set("blas_threads", linalg::blas_threads())
                                      .json();
        if (facts.size() >= build_facts.size())
            throw Error(DPA_E_INTERNAL, "the description of the build is too long");
        std::copy_n(facts.c_str(), facts.size() + 1, build_facts.data());
    });
    return status == DPA_OK ? build_facts.data() : nullptr;
}

const char *dpa_status_string(dpa_status status) {
    switch (status) {
#define DPA_NAME(code) \
    case code:         \
        return #code;
        DPA_NAME(DPA_OK)
        DPA_NAME(DPA_E_INVALID_ARGUMENT)
        DPA_NAME(DPA_E_DIMENSION)
        DPA_NAME(DPA_E_NONFINITE)
        DPA_NAME(DPA_E_OPTION)
        DPA_NAME(DPA_E_STATE)
        DPA_NAME(DPA_E_FORMAT)
        DPA_NAME(DPA_E_BUFFER)
        DPA_NAME(DPA_E_HANDLE)
        DPA_NAME(DPA_E_EMPTY)
        DPA_NAME(DPA_E_STRIDE)
        DPA_NAME(DPA_E_OVERFLOW)
        DPA_NAME(DPA_E_OPTION_NAME)
        DPA_NAME(DPA_E_OPTION_TYPE)
        DPA_NAME(DPA_E_LABEL)
        DPA_NAME(DPA_E_NUMERICAL)
        DPA_NAME(DPA_E_CANCELLED)
        DPA_NAME(DPA_E_CALLBACK)
        DPA_NAME(DPA_E_STORE)
        DPA_NAME(DPA_E_NO_MEMORY)
        DPA_NAME(DPA_E_ENTROPY)
        DPA_NAME(DPA_E_UNSUPPORTED)
        DPA_NAME(DPA_E_NOT_RELEASABLE)
        DPA_NAME(DPA_E_BUDGET)
        DPA_NAME(DPA_E_INTERNAL)
#undef DPA_NAME
        default:
            return "unknown status";
    }
}

const char *dpa_last_error(void) { return capi::last_error(); }
