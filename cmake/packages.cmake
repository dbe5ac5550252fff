# What `cmake --install` puts where, and the Debian package that CPack makes of it (`cpack -G DEB`).
include(GNUInstallDirs)

if(SKBUILD)
  # A wheel: the binary among the scripts of the environment that it is installed into, and nothing else.
  install(TARGETS gonogo RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR})
  return()
endif()

install(TARGETS gonogo RUNTIME)
install(FILES completions/gonogo.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gonogo)
install(FILES completions/gonogo.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _gonogo)
install(FILES completions/gonogo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gonogo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(PROGRAMS packaging/slurm/prolog.sh DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/slurm)
install(FILES packaging/kubernetes/init-container.yaml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/kubernetes)

set(CPACK_PACKAGE_NAME gonogo)
set(CPACK_PACKAGE_CONTACT "the gonogo maintainers <maintainers@gonogo.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tell whether a launch of an LLM server will work, before it is made")
set(CPACK_PACKAGE_DESCRIPTION "gonogo reads the command of a launch, the model's config.json and the GPUs, resolves them as\n\
the server itself would, and answers GO, NO-GO or UNKNOWN, with the reason and changes that reach GO.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
include(CPack)
