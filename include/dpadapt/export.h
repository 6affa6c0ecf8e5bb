/** Linkage of the exported functions. */
#ifndef DPADAPT_EXPORT_H
#define DPADAPT_EXPORT_H

#ifdef _WIN32
#ifdef DPA_BUILDING
#define DPA_API __declspec(dllexport)
#else
#define DPA_API /* functions need no dllimport, and the static library is used alike */
#endif
#elif defined(__GNUC__)
#define DPA_API __attribute__((visibility("default")))
#else
#define DPA_API
#endif

#ifdef __cplusplus
#define DPA_EXTERN_C_BEGIN extern "C" {
#define DPA_EXTERN_C_END }
#else
#define DPA_EXTERN_C_BEGIN
#define DPA_EXTERN_C_END
#endif

#endif
