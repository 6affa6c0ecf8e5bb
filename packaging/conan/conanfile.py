from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get
from conan.tools.gnu import PkgConfigDeps


class Dpadapt(ConanFile):
    name = "dpadapt"
    version = "0.2.0"
    license = "Apache-2.0"
    homepage = "https://dpadapt.org"
    description = "Supervised domain adaptation under differential privacy"
    topics = ("differential-privacy", "domain-adaptation", "regression")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    # system: Armadillo, OpenBLAS, libsodium and what the command needs are those of the system.
    options = {"command": [True, False], "system": [True, False]}
    default_options = {"command": True, "system": False}

    def requirements(self):
        if self.options.system:
            return
        self.requires("armadillo/[>=12]", visible=False)
        self.requires("openblas/[>=0.3.20]", options={"build_lapack": True})
        self.requires("libsodium/[>=1.0.18]")
        if self.options.command:
            self.requires("cli11/[>=2.3]", visible=False)
            self.requires("nlohmann_json/[>=3.11]", visible=False)
            self.requires("zlib/[>=1.2.11]", visible=False)

    def layout(self):
        cmake_layout(self, src_folder="source")

    def source(self):
        get(self, "@URL@", sha256="@SHA256@", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables |= {"DPA_BUILD_CLI": bool(self.options.command),
                                      "DPA_BUILD_TESTS": False, "DPA_BUILD_R": False,
                                      "DPA_BUILD_JAVA": False, "DPA_UNITY": True}
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")

    def package_info(self):
        self.cpp_info.libs = ["dpadapt"]
        self.cpp_info.set_property("cmake_find_mode", "none")  # it brings its own package of CMake
        self.cpp_info.builddirs = ["lib/cmake/dpadapt"]
