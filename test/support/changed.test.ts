import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changedSince, testsOf } from './changed.ts'

const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])

test('a change concerns the tests of its folder, of its importers, and those of a sample of everything', () => {
  const concerned = testsOf(['src/modules/alertes/rules.ts'], tests)
  expect(concerned).toEqual(
    expect.arrayContaining([
      'src/modules/alertes/alertes.test.ts',
      'test/contract/permissions.test.ts',
      'test/contract/hidden.test.ts',
    ]),
  )
  expect(concerned).not.toContain('src/platform/mail/smtp.test.ts')
  expect(concerned.length).toBeLessThan(tests.length / 4)
})

test('what many files import concerns their tests', () =>
  expect(testsOf(['src/platform/time/paris-time.ts'], tests)).toEqual(
    expect.arrayContaining(['src/platform/time/paris-time.test.ts', 'src/site/agenda.test.ts']),
  ))

test.each(['src/platform/database/migrations/0400-x.sql', 'package.json', 'src/app.ts'])(
  '%s concerns every test',
  (file) => expect(testsOf([file], tests)).toEqual(tests),
)

test('a document concerns the contract, and a screen the stories too', () => {
  expect(testsOf(['docs/operations.md'], tests)).toContain('test/contract/docs.test.ts')
  expect(testsOf(['web/src/router.tsx'], tests)).toEqual(
    expect.arrayContaining(['test/contract/web-sources.test.ts', 'test/browser/doors.test.ts']),
  )
})

test.each([
  [['--changed'], 'HEAD'],
  [['--changed', '--bail=1'], 'HEAD'],
  [['--changed', 'main'], 'main'],
  [['--changed=main'], 'main'],
  [['src/site'], undefined],
])('%j compares with %s', (args, since) => expect(changedSince(args)).toBe(since))
