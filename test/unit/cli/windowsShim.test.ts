import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowsShimTarget } from '../../../src/cli/windowsShim';

const folder = 'C:\\Users\\Zoë Q\\AppData\\Roaming\\npm';
const script = `${folder}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;

const batch = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  '  SET PATHEXT=%PATHEXT:;.JS;=;%',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*',
].join('\r\n');

const powerShell = `#!/usr/bin/env pwsh
$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent
if (Test-Path "$basedir/node$exe") {
  & "$basedir/node$exe"  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" $args
} else {
  & "node$exe"  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" $args
}
`;

const bourne = `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")
if [ -x "$basedir/node" ]; then
  exec "$basedir/node"  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" "$@"
else
  exec node  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" "$@"
fi
`;

test('Each of the three shims of npm names the script that it starts', () => {
  assert.equal(windowsShimTarget(`${folder}\\claude.cmd`, batch), script);
  assert.equal(windowsShimTarget(`${folder}\\claude.ps1`, powerShell), script);
  assert.equal(windowsShimTarget(`${folder}\\claude`, bourne), script);
  assert.equal(
    windowsShimTarget(`${folder}\\claude.cmd`, '@"%~dp0\\node.exe" "%~dp0\\..\\x\\cli.mjs" %*'),
    'C:\\Users\\Zoë Q\\AppData\\Roaming\\x\\cli.mjs',
  );
});

test('A shim of a native program names its exe', () => {
  const native = '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*\r\n';
  const exe = `${folder}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`;
  assert.equal(windowsShimTarget(`${folder}\\claude.cmd`, native), exe);
  const power = '& "$basedir/node_modules/@anthropic-ai/claude-code/bin/claude.exe"   $args';
  assert.equal(windowsShimTarget(`${folder}\\claude.ps1`, power), exe);
  assert.equal(
    windowsShimTarget('D:\\x\\claude.cmd', '"E:\\tools\\claude.exe" %*'),
    'E:\\tools\\claude.exe',
  );
});

test('A text that names no program has no target, whatever stands in it', () => {
  const texts = ['', 'echo hello', '"%dp0%\\node.exe" %*', '"%OTHER%\\cli.js"', '"cli.js"', '"'];
  for (const text of texts) assert.equal(windowsShimTarget('C:\\x\\claude.cmd', text), undefined);
  assert.equal(windowsShimTarget('C:\\x\\claude.cmd', '"'.repeat(100_000)), undefined);
});
