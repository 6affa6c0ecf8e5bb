vcpkg_download_distfile(archive URLS "@URL@" FILENAME "dpadapt-${VERSION}.tar.gz" SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tools DPA_BUILD_CLI)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}" -DBLA_VENDOR=All -DDPA_UNITY=ON
          -DDPA_BUILD_TESTS=OFF -DDPA_BUILD_R=OFF -DDPA_BUILD_JAVA=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/dpadapt)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES dpadapt AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
