/** The one place where the version of dpadapt is written; the build reads it from here. */
#ifndef DPADAPT_VERSION_H
#define DPADAPT_VERSION_H

#define DPA_VERSION_MAJOR 0
#define DPA_VERSION_MINOR 1
#define DPA_VERSION_PATCH 0

/** Number in the name of the shared library; changes when the ABI breaks. */
#define DPA_SOVERSION 0

#endif
