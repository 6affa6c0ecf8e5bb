#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace dpadapt {

/** A list that only grows. A copy shares what is there, at the cost of O(log n), and sees nothing
 *  that is added to the other later; if both add, the second one gets its own storage. While one
 *  thread adds, others may read copies. */
template <typename T>
class Growing {
  public:
    class Iterator {
      public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using reference = const T &;
        using pointer = const T *;
        using iterator_category = std::forward_iterator_tag;

        Iterator() = default;
        Iterator(const Growing *list, std::size_t at) : list_(list), at_(at) {}
        const T &operator*() const { return (*list_)[at_]; }
        const T *operator->() const { return &(*list_)[at_]; }
        Iterator &operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++at_;
            return before;
        }
        bool operator==(const Iterator &other) const { return at_ == other.at_; }

      private:
        const Growing *list_ = nullptr;
        std::size_t at_ = 0;
    };

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T &operator[](std::size_t i) const {
        const std::size_t k = part_of(i);
        return parts_[k].get()[i - begin_of(k)];
    }
    [[nodiscard]] const T &back() const { return (*this)[size_ - 1]; }
    [[nodiscard]] Iterator begin() const { return {this, 0}; }
    [[nodiscard]] Iterator end() const { return {this, size_}; }

    /** After it that many can be added without memory, if no copy adds. */
    void reserve_more(std::size_t count) {
        if (!added_ || *added_ != size_) become_own();
        for (std::size_t end = size_ + count, k = 0; k < kParts && begin_of(k) < end; ++k)
            if (!parts_[k]) parts_[k] = std::make_unique<T[]>(kFirst << k);
    }

    void add(T value) {
        reserve_more(1);
        const std::size_t k = part_of(size_);
        parts_[k].get()[size_ - begin_of(k)] = std::move(value);
        *added_ = ++size_;
    }

  private:
    static constexpr std::size_t kFirst = 16;  ///< size of the first part; each has twice as many
    static constexpr std::size_t kParts = 24;

    static std::size_t part_of(std::size_t i) {
        return static_cast<std::size_t>(std::bit_width(i / kFirst + 1)) - 1;
    }
    static std::size_t begin_of(std::size_t k) { return ((std::size_t{1} << k) - 1) * kFirst; }

    void become_own() {
        Growing own;
        own.added_ = std::make_shared<std::size_t>(0);
        for (std::size_t i = 0; i < size_; ++i) own.add((*this)[i]);
        *this = std::move(own);
    }

    std::array<std::shared_ptr<T[]>, kParts> parts_;
    std::shared_ptr<std::size_t> added_;  ///< by whoever shares the parts
    std::size_t size_ = 0;
};

/** Throws std::bad_alloc unless so many doubles can be allocated now: before a call is paid for,
 *  not after. */
inline void check_memory(double numbers) {
    if (!(numbers < static_cast<double>(PTRDIFF_MAX) / sizeof(double))) throw std::bad_alloc();
    // Volatile: else the compiler takes the pair of calls away.
    void *volatile trial = std::malloc(static_cast<std::size_t>(numbers) * sizeof(double) + 1);
    if (trial == nullptr) throw std::bad_alloc();
    std::free(trial);
}

}  // namespace dpadapt
