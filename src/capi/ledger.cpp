#include <dpadapt/ledger.h>

#include <algorithm>
#include <string_view>

#include "base/platform/float_state.hpp"
#include "base/text.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/plan.hpp"
#include "engine/settings.hpp"
#include "privacy/job.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

using Shared = std::shared_ptr<privacy::SharedLedger>;

Shared make_ledger(const dpa_options *options, std::int32_t locks) {
    if (locks != 0 && locks != 1)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "locks must be 0 or 1, but is " + std::to_string(locks));
    const engine::PaidBudget made = engine::make_budget(Caller(options).values());
    return std::make_shared<privacy::SharedLedger>(made.budget, locks == 1 ? made.domains : 0,
                                                   made.unit.value_or(privacy::Unit::record));
}

privacy::SharedLedger &ledger_of(const dpa_ledger *ledger) { return *value_of(ledger, "ledger"); }

/** The text of a hash; throws Error(DPA_E_INVALID_ARGUMENT). */
std::string_view checked_head(const char *head) {
    const std::string_view text(&required(head, "head"));
    if (text.size() != 2 * sizeof(privacy::Digest) ||
        text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "head must be 64 hexadecimal digits in small letters, as reports write them");
    return text;
}

}  // namespace

dpa_status dpa_ledger_create(const char *path, const dpa_options *options, int32_t locks,
                             dpa_ledger **out) {
    return guard("dpa_ledger_create", out, [&] {
        const std::string name = path == nullptr ? "" : path;
        Shared ledger = make_ledger(options, locks);
        if (path != nullptr) ledger->move_to(name);
        return ledger;
    });
}

dpa_status dpa_ledger_open(const char *path, dpa_ledger **out) {
    return guard("dpa_ledger_open", out, [&] {
        return std::make_shared<privacy::SharedLedger>(std::string(&required(path, "path")));
    });
}

dpa_status dpa_ledger_deserialize(const uint8_t *data, size_t data_len, dpa_ledger **out) {
    return guard("dpa_ledger_deserialize", out, [&] {
        const std::span bytes(&required(data, "data"), data_len);
        (void)privacy::read_blocks(bytes);  // before a copy of whatever size is made
        return std::make_shared<privacy::SharedLedger>(
            std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    });
}

dpa_status dpa_ledger_serialize(const dpa_ledger *ledger, uint8_t *out, size_t out_len,
                                size_t *needed) {
    return guard("dpa_ledger_serialize", [&] {
        const std::vector<std::uint8_t> bytes = ledger_of(ledger).bytes();
        fill_buffer(bytes.data(), bytes.size(), out, out_len, needed);
    });
}

void dpa_ledger_destroy(dpa_ledger *ledger) { destroy(ledger); }

dpa_status dpa_ledger_set_store(dpa_ledger *ledger, dpa_ledger_store_fn store, void *user) {
    return guard("dpa_ledger_set_store", [&] {
        privacy::StoreEntry call;
        if (store != nullptr)
            call = [store, user](std::uint64_t sequence, const privacy::Block &block) {
                return call_host(store, sequence, block.data(), block.size(), user) == 0;
            };
        ledger_of(ledger).set_store(std::move(call));
    });
}

dpa_status dpa_ledger_set_parent(dpa_ledger *ledger, dpa_ledger *parent) {
    return guard("dpa_ledger_set_parent", [&] {
        const Shared own = value_of(ledger, "ledger"), other = value_of(parent, "parent");
        own->set_parent(other);
    });
}

dpa_status dpa_ledger_report(const dpa_ledger *ledger, int32_t form, char *out, size_t out_len,
                             size_t *needed) {
    return guard("dpa_ledger_report", [&] {
        privacy::SharedLedger &own = ledger_of(ledger);
        const privacy::Form wanted = report_form(form);
        fill_text(privacy::write_ledger(own.content(), wanted), out, out_len, needed);
    });
}

dpa_status dpa_ledger_contains(const dpa_ledger *ledger, const char *head, int32_t *contains) {
    return guard("dpa_ledger_contains", [&] {
        privacy::SharedLedger &own = ledger_of(ledger);
        const std::string_view text = checked_head(head);
        required(contains, "contains");
        const Growing<privacy::Digest> heads = own.content().heads;
        const bool found = std::any_of(heads.begin(), heads.end(), [&](const auto &digest) {
            return hexadecimal(digest) == text;
        });
        *contains = found ? 1 : 0;
    });
}

dpa_status dpa_problem_use_ledger(dpa_problem *problem, dpa_ledger *ledger) {
    return guard("dpa_problem_use_ledger", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.use(value_of(ledger, "ledger"));
    });
}

dpa_status dpa_problem_use_ledger_for_job(dpa_problem *problem, dpa_ledger *ledger,
                                          const char *name, const uint8_t *key, size_t key_len) {
    return guard("dpa_problem_use_ledger_for_job", [&] {
        engine::Problem &own = value_of(problem, "problem");
        const Shared shared = value_of(ledger, "ledger");
        const std::span bytes(&required(key, "key"), key_len);
        own.use(shared, std::make_shared<const privacy::Job>(&required(name, "name"), bytes));
    });
}

dpa_status dpa_problem_lock(dpa_problem *problem, const dpa_options *options) {
    return guard("dpa_problem_lock", [&] {
        engine::Problem &own = value_of(problem, "problem");
        const privacy::Domains domains =
            engine::make_settings(Caller(options).values(), Wanted::fit).privacy.domains;
        if (domains == 0)
            throw Error(DPA_E_OPTION, "option private_domain is none: nothing is to be locked");
        own.lock(domains);
    });
}
