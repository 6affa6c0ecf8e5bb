from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["DPA_WANTED"] = str(self.dependencies["dpadapt"].ref.version)
        toolchain.cache_variables["DPA_TARGET"] = "dpadapt::dpadapt"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            version = str(self.dependencies["dpadapt"].ref.version)
            self.run(f"{self.cpp.build.bindir}/consumer {version}", env="conanrun")
            if self.dependencies["dpadapt"].options.get_safe("command"):
                self.run("dpadapt options", env="conanrun")
