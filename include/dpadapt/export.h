/** Linkage of the exported functions; define DPA_STATIC when linking the static library on Windows.
 */
#ifndef DPADAPT_EXPORT_H
#define DPADAPT_EXPORT_H

#if defined(_WIN32) && !defined(DPA_STATIC)
#ifdef DPA_BUILDING
#define DPA_API __declspec(dllexport)
#else
#define DPA_API __declspec(dllimport)
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
