// Frames between the partition test and its worker processes, through pipes.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <vector>

/** A worker's work: carry out a request over a part of a sample, rows one after another. */
struct WorkFrame {
    std::vector<std::uint8_t> request;
    std::vector<double> x;
    std::vector<double> y;
    std::uint64_t features = 0;
    std::uint64_t first = 0;
};

inline bool write_all(int to, const void *data, std::size_t size) {
    const auto *bytes = static_cast<const char *>(data);
    while (size > 0) {
        const ssize_t written = write(to, bytes, size);
        if (written <= 0) return false;
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

inline bool read_all(int from, void *data, std::size_t size) {
    auto *bytes = static_cast<char *>(data);
    while (size > 0) {
        const ssize_t count = read(from, bytes, size);
        if (count <= 0) return false;
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

inline bool send(int to, std::uint64_t number) { return write_all(to, &number, sizeof(number)); }
inline bool receive(int from, std::uint64_t &number) {
    return read_all(from, &number, sizeof(number));
}

template <typename T>
bool send(int to, const std::vector<T> &list) {
    return send(to, list.size()) && write_all(to, list.data(), list.size() * sizeof(T));
}
template <typename T>
bool receive(int from, std::vector<T> &list) {
    std::uint64_t size = 0;
    if (!receive(from, size)) return false;
    list.resize(size);
    return read_all(from, list.data(), size * sizeof(T));
}

inline bool send(int to, const WorkFrame &work) {
    return send(to, work.request) && send(to, work.x) && send(to, work.y) &&
           send(to, work.features) && send(to, work.first);
}
inline bool receive(int from, WorkFrame &work) {
    return receive(from, work.request) && receive(from, work.x) && receive(from, work.y) &&
           receive(from, work.features) && receive(from, work.first);
}
