"""Figures printed in Bassily, Cortes, Mao and Mohri, "Differentially Private Domain Adaptation with Theoretical
Guarantees": mean and standard deviation by data and method. The only results here that are typed."""


def _table(methods, rows):
    return {data: dict(zip(methods, zip(values[::2], values[1::2]))) for data, values in rows.items()}


_GAS = (0.441, 0.034, 0.381, 0.028, 0.342, 0.023)
REGRESSION = _table(("KMM", "DM", "CnvxAdap_inf"), {
    "wind": (1.009, 0.035, 1.009, 0.045, 0.985, 0.019),
    "airline": (2.716, 0.202, 1.547, 0.068, 0.992, 0.012),
    "news": (1.162, 0.044, 1.006, 0.009, 0.995, 0.019),
    "gas 7": _GAS, "gas 6": _GAS,
    "slice": (1.282, 0.076, 1.218, 0.130, 0.992, 0.050)})

CLASSIFICATION = _table(("train source", "train target", "KMM", "NCnvxAdap_inf"), {
    "adult": (88.44, 0.61, 91.09, 0.54, 74.62, 0.64, 91.38, 0.49),
    "german": (74.16, 1.64, 76.40, 1.17, 74.43, 1.65, 77.96, 1.31),
    "accent": (51.60, 1.09, 92.27, 1.10, 52.18, 2.27, 93.95, 0.78)})

SENTIMENT = _table(("private, epsilon 4", "private, epsilon 10", "DM"), {
    "kitchen to books": (1.649, 1.909, 0.713, 0.625, 0.778, 0.459),
    "kitchen to dvd": (0.832, 0.640, 0.521, 0.354, 1.396, 1.145),
    "kitchen to electronics": (0.790, 0.153, 0.555, 0.139, 1.740, 1.483),
    "books to dvd": (0.929, 0.365, 0.637, 0.297, 0.761, 0.562),
    "books to electronics": (0.708, 0.092, 0.485, 0.147, 0.711, 0.320),
    "books to kitchen": (0.796, 0.126, 0.632, 0.181, 0.956, 0.442),
    "dvd to electronics": (0.671, 0.120, 0.429, 0.189, 0.677, 0.231),
    "dvd to kitchen": (0.665, 0.197, 0.453, 0.189, 1.185, 0.753),
    "dvd to books": (0.727, 0.288, 0.430, 0.143, 0.676, 0.812),
    "electronics to kitchen": (0.671, 0.161, 0.439, 0.141, 1.389, 0.755),
    "electronics to books": (0.743, 0.365, 0.351, 0.204, 0.884, 0.639),
    "electronics to dvd": (0.755, 0.585, 0.589, 0.495, 0.843, 0.403)})
