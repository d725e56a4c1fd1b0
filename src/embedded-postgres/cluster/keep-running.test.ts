import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeFolder, postmasterPid, removeFolders } from './cluster.test-kit.ts'
import { keepRunning, type Launch } from './keep-running.ts'

afterAll(removeFolders)

/** Prepares the start of a program that says its pid as PostgreSQL does, and then nothing. */
function prepareLaunch(pause: (launch: Launch) => unknown) {
  const folder = makeFolder(0o755)
  const [data, socket, postgres] = ['data', 'socket', 'postgres'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [data, socket]) mkdirSync(path)
  writeFileSync(postgres, '#!/bin/sh\necho $$ > "$2/postmaster.pid"\nexec sleep 1000\n')
  chmodSync(postgres, 0o755)
  const said: string[] = []
  const launch: Launch = {
    binaries: { postgres, initdb: '', version: '' },
    paths: { home: folder, data, socket, logFile: join(folder, 'log'), lock: join(folder, 'lock') },
    user: null,
    durable: false,
    log: (line) => said.push(line),
    pause: async () => pause(launch),
  }
  return { launch, said }
}

test('waits for a recovery that takes hours while the server says how far it is', async () => {
  let looks = 0
  const { launch, said } = prepareLaunch(({ paths }) => {
    looks++
    if (looks % 2_000 === 0)
      appendFileSync(paths.logFile, `2026-01-01 00:00:00 UTC [7] LOG:  redo in progress: ${looks}\n`)
    if (looks < 12_500) return
    const pid = postmasterPid(paths.data)
    writeFileSync(join(paths.data, 'postmaster.pid'), `${pid}\n\n\n\n\n\n\nready\n`)
    writeFileSync(join(paths.socket, '.s.PGSQL.5432'), '')
  })
  const server = await keepRunning(launch)
  onTestFinished(() => server.stop())
  expect(looks).toBeGreaterThanOrEqual(12_500)
  expect(said).toContain(
    'PostgreSQL is still starting: it recovers what was not saved yet (LOG:  redo in progress: 4000)',
  )
})

test('gives up a server that says nothing for ten minutes', async () => {
  const { launch } = prepareLaunch(({ paths }) => writeFileSync(paths.logFile, 'stuck\n'))
  await expect(keepRunning(launch)).rejects.toThrow(/^PostgreSQL did not start \(.*\); the end of .*: stuck$/)
})
