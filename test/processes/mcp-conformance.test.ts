// Not on another PostgreSQL, because other files run its statements too.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Scenarios that ask for what `/mcp` does not have, by the reason. All others must pass. */
const notApplicable = {
  'call tools that only the server of the suite has': [
    ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error'].map(
      (name) => `tools-call-${name}`,
    ),
    ...['tools-call-with-logging', 'tools-call-with-progress', 'json-schema-2020-12'],
  ],
  'ask the person behind the client, which needs a session': [
    ...['tools-call-sampling', 'tools-call-elicitation'],
    ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ],
  'continue a stream of a session': ['server-sse-polling', 'server-sse-multiple-streams'],
  'use capabilities that it does not declare': [
    ...['logging-set-level', 'completion-complete'],
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
    ...['resources-subscribe', 'resources-unsubscribe'],
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
    ...['prompts-get-embedded-resource', 'prompts-get-with-image'],
  ],
}

test('the conformance suite of the protocol passes, save what does not apply', async () => {
  const { url } = await openWorld()
  const folder = mkdtempSync(join(tmpdir(), 'parvis-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = Object.values(notApplicable).flat()
  writeFileSync(join(folder, 'expected.yml'), `server:\n${names.map((name) => `  - ${name}\n`).join('')}`)
  const options = ['--url', `${url}/mcp`, '--suite', 'all', '--expected-failures', 'expected.yml']
  // Fails when one passes that is listed as not applicable, too.
  const { stdout } = await promisify(execFile)(process.execPath, [suite, 'server', ...options], {
    cwd: folder,
  })
  for (const name of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
    expect(stdout).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`))
})
