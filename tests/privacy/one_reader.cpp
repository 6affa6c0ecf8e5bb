// What nobody but the accumulator may do. Each marked line must not compile; the others must.
#include "records/reader.hpp"

using namespace dpadapt;
using records::Accumulator;
using records::Reader;

sums::MomentSum a_sum(const Reader &reader) { return reader.sum(records::MomentTask{1.0, 1.0}); }

const void *the_rows(const Accumulator &accumulator) {
    return accumulator.rows_.get();  // refused
}

const Accumulator::Rows *their_type = nullptr;  // refused

Accumulator::Block a_few_of_them();  // refused

const double *the_label(const Reader &reader) {
    return reader.sample_.y();  // refused
}

const void *an_accumulator(const Reader &reader) {
    return reader.here_.get();  // refused
}

double a_feature(const PrivateProblem &problem) {
    return problem.sample(privacy::kTarget).x()(0, 0);  // refused
}
