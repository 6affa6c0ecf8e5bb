/** Arrow, for Java: the caller's structures travel as addresses, and are filled and read by
 *  libraries of their own. */
#define ARROW_C_DATA_INTERFACE
#define ARROW_C_STREAM_INTERFACE
DPA_ARRAY(const char *const *, features, feature_count, jbyteArray, byte[], Texts)

%include <dpadapt/arrow.h>
