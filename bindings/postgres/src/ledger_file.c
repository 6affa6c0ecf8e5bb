#include "ledger_file.h"

#include <common/file_perm.h>
#include <fcntl.h>
#include <lib/stringinfo.h>
#include <storage/fd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kLine = 1024 };

static const char folder[] = "dpadapt";

static void fail(const char *path) {
    ereport(ERROR, errcode_for_file_access(),
            errmsg("could not use the ledger file \"%s\": %m", path));
}

static void make_folder(void) {
    if (MakePGDirectory(folder) == 0)
        fsync_fname(".", true);
    else if (errno != EEXIST)
        fail(folder);
}

char *ledger_file_path(const char *id) { return psprintf("%s/%s.ledger", folder, id); }

static char *notes_path(Oid database) { return psprintf("%s/%u.names", folder, database); }

/* Locked until it is closed, which the end of the transaction does, too. */
static int open_locked(const char *path, int flags, int lock) {
    int file = OpenTransientFilePerm(path, flags, S_IRUSR | S_IWUSR);
    if (file < 0) fail(path);
    while (flock(file, lock) != 0)
        if (errno != EINTR) fail(path);
    return file;
}

static void write_all(int file, const char *path, const char *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t count = write(file, bytes + done, size - done);
        if (count < 0 && errno != EINTR) fail(path);
        if (count > 0) done += (size_t)count;
    }
    if (pg_fsync(file) != 0) fail(path);
}

static int64 blocks_of(int file, const char *path) {
    struct stat facts;
    if (fstat(file, &facts) != 0) fail(path);
    return facts.st_size / kLedgerBlock;
}

int64 ledger_file_blocks(const char *id) {
    struct stat facts;
    const char *path = ledger_file_path(id);
    if (stat(path, &facts) == 0) return facts.st_size / kLedgerBlock;
    if (errno != ENOENT) fail(path);
    return -1;
}

char *ledger_file_read(const char *id, int64 first, int64 count) {
    const char *path = ledger_file_path(id);
    size_t size = (size_t)count * kLedgerBlock;
    char *bytes = MemoryContextAllocHuge(CurrentMemoryContext, size + 1);
    int file = open_locked(path, O_RDONLY, LOCK_SH);
    for (size_t done = 0; done < size;) {
        off_t from = (off_t)(first * kLedgerBlock) + (off_t)done;
        ssize_t got = pread(file, bytes + done, size - done, from);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) fail(path);
        done += (size_t)got;
    }
    CloseTransientFile(file);
    return bytes;
}

void ledger_file_create(const char *id, const char *blocks, int64 count) {
    const char *path = ledger_file_path(id);
    const char *draft = psprintf("%s.%d", path, MyProcPid);
    make_folder();
    int file = open_locked(draft, O_WRONLY | O_CREAT | O_TRUNC, LOCK_EX);
    write_all(file, draft, blocks, (size_t)count * kLedgerBlock);
    CloseTransientFile(file);
    bool made = link(draft, path) == 0;
    int reason = errno;
    (void)unlink(draft);
    errno = reason;
    if (!made && reason != EEXIST) fail(path);
    fsync_fname(folder, true);
}

void ledger_file_extend(const char *id, int64 have, const char *blocks, int64 count) {
    const char *path = ledger_file_path(id);
    int file = open_locked(path, O_RDWR | O_APPEND, LOCK_EX);
    if (blocks_of(file, path) == have) write_all(file, path, blocks, (size_t)count * kLedgerBlock);
    CloseTransientFile(file);
}

void ledger_notes_append(char **lines, int count) {
    const char *path = notes_path(MyDatabaseId);
    StringInfoData text;
    initStringInfo(&text);
    for (int k = 0; k < count; ++k) /* a table's name may have two; its number is a line, too */
        if (strchr(lines[k], '\n') == NULL) appendStringInfo(&text, "%s\n", lines[k]);
    if (text.len == 0) return;
    make_folder();
    int file = open_locked(path, O_WRONLY | O_APPEND | O_CREAT, LOCK_EX);
    write_all(file, path, text.data, (size_t)text.len);
    CloseTransientFile(file);
    fsync_fname(folder, true);
}

void ledger_notes_each(Oid database, ledger_notes_fn each, void *user) {
    char line[kLine];
    FILE *file = AllocateFile(notes_path(database), "r");
    if (file == NULL && errno == ENOENT) return;
    if (file == NULL) fail(notes_path(database));
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        each(line, user);
    }
    FreeFile(file);
}

Oid ledger_notes_next(Oid after) {
    Oid next = InvalidOid;
    DIR *entries = AllocateDir(folder);
    for (struct dirent *entry; (entry = ReadDir(entries, folder)) != NULL;) {
        char *end;
        Oid database = (Oid)strtoul(entry->d_name, &end, 10);
        if (strcmp(end, ".names") == 0 && database > after &&
            (next == InvalidOid || database < next))
            next = database;
    }
    FreeDir(entries);
    return next;
}
