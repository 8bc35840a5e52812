"""The table of tools with many jobs, told apart by their sub-command."""

from __future__ import annotations

from .build_tools import BUILD_RULES
from .node_tools import NODE_RULES
from .programs import Rule
from .python_tools import PYTHON_RULES
from .rule_helpers import by_table

# Grouped by kinship: .NET and BEAM, Apple and mobile, functional, JVM, chains, Ruby, operations.
_BY_SUBCOMMAND: dict[str, Rule] = {
    "dotnet": by_table(
        "test=test,vstest build=build,publish,pack,msbuild,clean lint=format install=restore,add,tool "
        "probe=list,nuget service=watch",
        runner="dotnet-test",
    ),
    "mix": by_table(
        "test=test,coveralls build=compile,release lint=credo,dialyzer,format "
        "install=deps.get,deps,local.hex,archive.install probe=help service=phx.server",
        runner="mix-test",
    ),
    "swift": by_table(
        "test=test build=build lint=format,lint install=package", runner="swift-test", valued="--package-path"
    ),
    "xcodebuild": by_table(
        "test=test,test-without-building build=build,clean,archive,build-for-testing lint=analyze "
        "probe=-list,-showBuildSettings",
        runner="xcodebuild",
        default="build",
        valued="-scheme -project -workspace -destination -configuration -sdk -derivedDataPath",
    ),
    "flutter": by_table(
        "test=test,drive build=build lint=analyze,format install=pub probe=doctor,devices", runner="flutter-test"
    ),
    "dart": by_table("test=test build=compile lint=analyze,format,fix install=pub", runner="dart-test"),
    "cabal": by_table(
        "test=test,v2-test,new-test build=build,v2-build lint=check install=install,update probe=info,list",
        runner="cabal",
    ),
    "stack": by_table("test=test build=build install=setup,install probe=ls", runner="stack"),
    "sbt": by_table(
        "test=test,testOnly,testQuick,test:test build=compile,package,assembly,clean "
        "lint=scalafmt,scalafmtCheck,scalafix install=update probe=projects",
        runner="sbt",
    ),
    "mill": by_table("test=test build=compile", runner="mill"),
    "lein": by_table("test=test build=compile,uberjar lint=kibit,eastwood install=deps", runner="lein"),
    "rebar3": by_table(
        "test=eunit,ct,proper build=compile,release lint=dialyzer,fmt install=get-deps", runner="rebar3"
    ),
    "gleam": by_table("test=test build=build,check lint=format install=add,deps", runner="gleam"),
    "forge": by_table("test=test build=build,compile lint=fmt,lint install=install,update", runner="forge"),
    "hardhat": by_table("test=test,coverage build=compile", runner="hardhat"),
    "truffle": by_table("test=test build=compile,migrate", runner="truffle"),
    "anchor": by_table("test=test build=build", runner="anchor"),
    "nimble": by_table("test=test build=build lint=check install=install", runner="nimble"),
    "crystal": by_table("test=spec build=build lint=tool", runner="crystal"),
    "shards": by_table("build=build install=install,update"),
    "gem": by_table("build=build install=install,uninstall,update probe=list,search,env,which"),
    "bundle": by_table("install=install,update,add,lock,config probe=list,show,info,check,outdated", default="install"),
    "rails": by_table(
        "test=test,test:system,test:all,spec build=assets:precompile lint=zeitwerk:check probe=routes,runner "
        "service=server,s,console",
        runner="minitest",
    ),
    "dx": by_table("build=build lint=fmt,check service=serve"),
    "trunk": by_table("build=build lint=check,fmt service=serve"),
    "helm": by_table(
        "build=package lint=lint,template install=dependency,repo probe=list,status,get "
        "service=install,upgrade,uninstall"
    ),
    "terraform": by_table(
        "test=test lint=validate,fmt install=init probe=plan,show,output service=apply,destroy", runner="terraform"
    ),
    "tofu": by_table(
        "test=test lint=validate,fmt install=init probe=plan,show,output service=apply,destroy", runner="terraform"
    ),
    "kubectl": by_table(
        "probe=get,describe,logs,version,config,top,explain "
        "service=apply,delete,create,scale,rollout,patch,port-forward",
        default="service",
    ),
    "brew": by_table(
        "install=install,uninstall,update,upgrade,tap probe=list,info,search,--version service=services",
        default="install",
    ),
    "hugo": by_table("probe=version service=server,serve", default="build"),
    "jekyll": by_table("build=build lint=doctor service=serve", default="build"),
    "mkdocs": by_table("build=build service=serve", default="build"),
    "golangci-lint": by_table("probe=linters,version,help,config,cache,completion", default="lint"),
    "pre-commit": by_table("install=install,install-hooks,autoupdate probe=help,sample-config", default="lint"),
    "buf": by_table("build=build,generate lint=lint,format,breaking install=mod"),
    "wasm-pack": by_table("test=test build=build", runner="cargo-test"),
    "pio": by_table("test=test build=run lint=check install=lib,pkg", runner="platformio", default="build"),
    "conan": by_table("build=build,create install=install probe=search,list,info,profile"),
    "vcpkg": by_table("install=install,integrate probe=list,search"),
    "scons": by_table("test=test,check", runner="scons", default="build"),
    "waf": by_table("test=test,check", runner="waf", default="build"),
}
_BY_SUBCOMMAND["bundler"] = _BY_SUBCOMMAND["bundle"]

RULES: dict[str, Rule] = {**_BY_SUBCOMMAND, **NODE_RULES, **BUILD_RULES, **PYTHON_RULES}
