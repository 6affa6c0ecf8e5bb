package org.dpadapt;

/** What files that are no CSV begin with, as the command knows them. */
final class OddFile {
    private OddFile() {}

    /** What it is and how it becomes CSV; null for what may be CSV. */
    static String kind(byte[] begin) {
        if (beginsWith(begin, 0xFF, 0xFE) || beginsWith(begin, 0xFE, 0xFF))
            return "UTF-16 text, not CSV; recode it first: iconv -f UTF-16 -t UTF-8 FILE.csv";
        if (beginsWith(begin, 'P', 'A', 'R', '1', 0x15))
            return "a Parquet file, not CSV; convert it first";
        if (beginsWith(begin, 'A', 'R', 'R', 'O', 'W', '1'))
            return "an Arrow file, not CSV; convert it first";
        if (beginsWith(begin, 'P', 'K', 3, 4))
            return "a zip file or a workbook of a spreadsheet program, not CSV; unpack it, or save"
                    + " the sheet as CSV";
        if (beginsWith(begin, 0xFD, '7', 'z', 'X', 'Z')) return "a file packed by xz, not CSV";
        if (beginsWith(begin, 0x28, 0xB5, 0x2F, 0xFD)) return "a file packed by zstd, not CSV";
        return null;
    }

    static boolean beginsWith(byte[] text, int... begin) {
        if (text.length < begin.length) return false;
        for (int k = 0; k < begin.length; k++) if ((text[k] & 0xFF) != begin[k]) return false;
        return true;
    }
}
