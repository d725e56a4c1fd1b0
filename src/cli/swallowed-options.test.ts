import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ownCheckout, systemPath } from '../../test/processes/service.ts'
import { openWorld } from '../../test/support/world.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './token.ts'

const forItself = (option: string, example: string) =>
  `npm kept --${option} for itself: put -- before what is meant for the command, as in ${example}.\n`
const ofToken = 'npm run -s token -- --email admin@example.org'
const ofLoad = 'npm run load -- elus --file elus.csv'
const ofSources = "npm run sources -- set --code bresse --label 'Bresse'"

test.each([
  ['token --email a@example.org --role admin', forItself('email', ofToken)],
  ['token --email=a@example.org', forItself('email', ofToken)],
  ['token --role admin -- --email a@example.org', forItself('role', ofToken)],
  ['token --subject auth0 --revoke', forItself('subject', ofToken)],
  ['load communes --file=communes.json', forItself('file', ofLoad)],
  ['load elus --strict -- --file elus.csv', forItself('strict', ofLoad)],
  ['sources set --code bresse --label Bresse', forItself('code', ofSources)],
  ['sources set --inactive -- --code bresse --label Bresse', forItself('inactive', ofSources)],
])('npm run %s with options before the -- exits with 2 and one sentence', (words, sentence) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...words.split(' ')], {
    cwd: ownCheckout,
    encoding: 'utf8',
    env: { PATH: systemPath, HOME: '/nonexistent', npm_config_update_notifier: 'false' },
  })
  expect({ status, stdout, stderr: stderr.replace(/^npm warn .*\n/gm, '') }).toEqual({
    status: 2,
    stdout: '',
    stderr: sentence,
  })
})

test("an e-mail address in npm's own settings does no harm", async () => {
  const { call, env } = await openCommandWorld(await openWorld(), run)
  const given = { ...env, npm_config_email: 'packages@example.org' }
  expect(await call('--subject b --role king', given)).toMatchObject({
    stderr: expect.stringContaining('There is no role king'),
  })
})
