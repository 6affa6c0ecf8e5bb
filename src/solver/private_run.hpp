#pragma once

#include "records/private_run.hpp"
#include "solver/metric.hpp"
