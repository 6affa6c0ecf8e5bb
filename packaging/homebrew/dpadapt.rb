class Dpadapt < Formula
  desc "Supervised domain adaptation under differential privacy"
  homepage "https://dpadapt.org"
  url "@URL@"
  version "0.2.0"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "armadillo" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "libsodium"
  depends_on "openblas"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DDPA_UNITY=ON", "-DDPA_BUILD_TESTS=OFF",
           "-DDPA_BUILD_R=OFF", "-DDPA_BUILD_JAVA=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"dpadapt", "options"
    (testpath/"test.c").write <<~C
      #include <dpadapt/dpadapt.h>
      #include <string.h>
      int main(void) { return strcmp(dpa_version(), "#{version}"); }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-ldpadapt", "-o", "test"
    system "./test"
  end
end
