#include "model.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static model *kept[KEPT]; /* the last used first */

static void destroy(model *old) {
    if (old == NULL) return;
    dpa_solution_destroy(old->solution);
    dpa_schema_destroy(old->schema);
    free(old->bytes);
    free(old);
}

static model *load(guest_blob bytes) {
    model *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) return NULL;
    loaded->bytes = malloc(bytes.size + 1);
    if (loaded->bytes != NULL &&
        dpa_solution_deserialize(bytes.data, bytes.size, &loaded->solution) == DPA_OK &&
        dpa_solution_shape(loaded->solution, &loaded->features, NULL, NULL, NULL) == DPA_OK) {
        bool is_file = bytes.size > 0 && bytes.data[0] == '{'; /* JSON, with names */
        if (!is_file || dpa_schema_deserialize(bytes.data, bytes.size, &loaded->schema) == DPA_OK) {
            memcpy(loaded->bytes, bytes.data, bytes.size);
            loaded->size = bytes.size;
            return loaded;
        }
    }
    destroy(loaded);
    return NULL;
}

/** Under the lock: puts it first, and returns what has to leave. */
static model *put_first(model *used, size_t place) {
    model *leaves = place == KEPT ? kept[KEPT - 1] : NULL;
    if (place == KEPT) --place;
    memmove(kept + 1, kept, place * sizeof *kept);
    kept[0] = used;
    return leaves != NULL && --leaves->users == 0 ? leaves : NULL;
}

model *model_borrow(guest_blob bytes) {
    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < KEPT && kept[k] != NULL; ++k) {
        guest_blob known = {kept[k]->bytes, kept[k]->size};
        if (!guest_same_blob(known, bytes)) continue;
        model *found = kept[k];
        ++found->users;
        (void)put_first(found, k);
        pthread_mutex_unlock(&lock);
        return found;
    }
    pthread_mutex_unlock(&lock);
    model *loaded = load(bytes);
    if (loaded == NULL) return NULL;
    loaded->users = 2; /* the borrower, and the list */
    pthread_mutex_lock(&lock);
    model *leaves = put_first(loaded, KEPT);
    pthread_mutex_unlock(&lock);
    destroy(leaves);
    return loaded;
}

void model_return(model *used) {
    pthread_mutex_lock(&lock);
    bool last = --used->users == 0;
    pthread_mutex_unlock(&lock);
    if (last) destroy(used);
}
