// Handles of every kind, those that live, those that are gone, and those that never were.
#pragma once

#include "fuzz/fuzz.hpp"

namespace fuzz {

enum Kind { kOptions, kProblem, kDiscrepancy, kSolution, kPlan, kSearch, kLedger, kCancel, kKinds };

/** Handles that were created at some time. */
class Pool {
  public:
    Pool() = default;
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;
    ~Pool() {
        for (const Entry &entry : entries_) destroy(entry.kind, entry.handle);
    }

    /** Mostly one of that kind, but maybe of another, or made up. */
    void *pick(Input &input, Kind kind) {
        const std::uint8_t choice = input.byte();
        if (choice == 255) return nullptr;
        if (choice == 254) return reinterpret_cast<void *>(input.word());
        if (entries_.empty()) return nullptr;
        if (choice >= 230) return entries_[choice % entries_.size()].handle;
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            const Entry &entry = entries_[(choice + k) % entries_.size()];
            if (entry.kind == kind) return entry.handle;
        }
        return nullptr;
    }
    [[nodiscard]] bool is_good(Kind kind, const void *handle) const {
        for (const Entry &entry : entries_)
            if (entry.handle == handle) return entry.kind == kind && entry.lives;
        return false;
    }
    /** A new handle, if the call has given one. */
    template <typename T>
    void add(Kind kind, dpa_status status, T *handle) {
        REQUIRE((status == DPA_OK) == (handle != nullptr));
        if (handle == nullptr) return;
        for (const Entry &entry : entries_) REQUIRE(entry.handle != handle);
        entries_.push_back({kind, handle, true});
    }
    /** By the function of that kind, whatever the handle is. */
    void release(Kind kind, void *handle) {
        destroy(kind, handle);
        for (Entry &entry : entries_)
            if (entry.handle == handle && entry.kind == kind) entry.lives = false;
        lost_token_ = lost_token_ || kind == kCancel;
    }
    /** Whether options may borrow a token that is gone: then they are refused. */
    [[nodiscard]] bool lost_token() const { return lost_token_; }

  private:
    struct Entry {
        Kind kind;
        void *handle;
        bool lives;
    };

    static void destroy(Kind kind, void *handle) {
        switch (kind) {
            case kOptions:
                return dpa_options_destroy(static_cast<dpa_options *>(handle));
            case kProblem:
                return dpa_problem_destroy(static_cast<dpa_problem *>(handle));
            case kDiscrepancy:
                return dpa_discrepancy_destroy(static_cast<dpa_discrepancy *>(handle));
            case kSolution:
                return dpa_solution_destroy(static_cast<dpa_solution *>(handle));
            case kPlan:
                return dpa_plan_destroy(static_cast<dpa_plan *>(handle));
            case kSearch:
                return dpa_search_destroy(static_cast<dpa_search *>(handle));
            case kLedger:
                return dpa_ledger_destroy(static_cast<dpa_ledger *>(handle));
            default:
                return dpa_cancel_destroy(static_cast<dpa_cancel *>(handle));
        }
    }

    std::vector<Entry> entries_;
    bool lost_token_ = false;
};

}  // namespace fuzz
