# `cmake --install` and, through CPack, a .deb: program, agent, scenarios, recipe, demo, published
# tables, schemas, manual page and completion, each where the file system standard wants it. The
# manual page and the completion are printed by the program itself.
include(GNUInstallDirs)

set(MANUAL ${CMAKE_BINARY_DIR}/packaging/bisect-run.1)
set(COMPLETION ${CMAKE_BINARY_DIR}/packaging/bisect-run.bash)
add_custom_command(OUTPUT ${MANUAL} ${COMPLETION}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/packaging
  COMMAND bisect-run --man > ${MANUAL}
  COMMAND bisect-run --bash-completion > ${COMPLETION}
  DEPENDS bisect-run VERBATIM)
add_custom_target(packaging ALL DEPENDS ${MANUAL} ${COMPLETION})

set(SHARE ${CMAKE_INSTALL_DATADIR}/bisect-run)
install(TARGETS bisect-run RUNTIME)
install(TARGETS bisect-agent RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/bisect-run)
install(FILES kernels.yaml DESTINATION ${SHARE})
install(DIRECTORY scenarios DESTINATION ${SHARE} FILES_MATCHING PATTERN *.yaml PATTERN *.patch)
install(DIRECTORY results/reference/ DESTINATION ${SHARE}/reference FILES_MATCHING PATTERN *.csv)
install(DIRECTORY harness/demo/ DESTINATION ${SHARE}/demo
  FILES_MATCHING PATTERN *.txt PATTERN *.patch)
install(DIRECTORY schemas DESTINATION ${SHARE})
if(EXISTS ${CMAKE_SOURCE_DIR}/harness/remedies)
  install(DIRECTORY harness/remedies DESTINATION ${SHARE} USE_SOURCE_PERMISSIONS)
endif()
install(FILES ${MANUAL} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${COMPLETION} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME bisect-run)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What compiles kernels and boots them is needed when the program runs; libraries are found by
# dpkg-shlibdeps.
file(STRINGS harness/packages.txt NEEDED)
list(FILTER NEEDED EXCLUDE REGEX "-dev$|^cmake$|^ninja-build$|^pkg-config$|^libvirt0$")
list(JOIN NEEDED ", " NEEDED)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bisect-run)
set(CPACK_PACKAGE_VENDOR bisect-run)
set(CPACK_PACKAGE_CONTACT "the maintainers of bisect-run <root@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "finds the commit that changed a measured number of the Linux kernel")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${NEEDED}, libelf-dev, libssl-dev")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
