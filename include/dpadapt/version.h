/** The one place where the version of dpadapt is written; the build reads it from here. */
#ifndef DPADAPT_VERSION_H
#define DPADAPT_VERSION_H

#define DPA_VERSION_MAJOR 0
#define DPA_VERSION_MINOR 2
#define DPA_VERSION_PATCH 0

/** The version as a number, for #if: 10203 is 1.2.3. */
#define DPA_VERSION (DPA_VERSION_MAJOR * 10000 + DPA_VERSION_MINOR * 100 + DPA_VERSION_PATCH)

/** Number in the name of the shared library; changes when the ABI breaks. */
#define DPA_SOVERSION 2

#endif
