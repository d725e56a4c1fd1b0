import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** False where OpenSSL is missing: the tests that need it as the authority are skipped then. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const settings = `
[tsa]
default_tsa = own
[own]
serial = serial
signer_cert = authority.pem
signer_key = authority.key
certs = authority.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[leaf]
extendedKeyUsage = critical, timeStamping
keyUsage = critical, digitalSignature
[other]
extendedKeyUsage = serverAuth
`

/** What an authority does with a request; `null`: it answers by `openssl ts -reply`. */
type Behaviour = ((response: ServerResponse) => void) | null

/** Opens an authority of OpenSSL with a root of its own, on a free port. */
export async function openAuthority({ usage = 'leaf', key = 'ec' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-authority-'))
  const openssl = (...given: string[]) => execFileSync('openssl', given, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'openssl.cnf'), settings)
  writeFileSync(join(folder, 'serial'), '01')
  const keyOf = key === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : [key]
  const request = ['req', '-config', 'openssl.cnf', '-nodes', '-newkey', ...keyOf]
  openssl(
    ...request,
    '-x509',
    '-days',
    '30',
    '-subj',
    '/CN=Root',
    '-extensions',
    'root',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  )
  openssl(...request, '-subj', '/CN=Horodatage de test', '-keyout', 'authority.key', '-out', 'authority.csr')
  const issue = [
    'x509',
    '-req',
    '-in',
    'authority.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
  ]
  openssl(...issue, '-days', '20', '-extfile', 'openssl.cnf', '-extensions', usage, '-out', 'authority.pem')
  const reply = (request: Buffer): Buffer => {
    writeFileSync(join(folder, 'request.tsq'), request)
    openssl('ts', '-reply', '-config', 'openssl.cnf', '-queryfile', 'request.tsq', '-out', 'reply.tsr')
    return readFileSync(join(folder, 'reply.tsr'))
  }
  let behaviour: Behaviour = null
  let asked = 0
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await Array.fromAsync(incoming))
    asked++
    if (behaviour !== null) return behaviour(response)
    response.setHeader('content-type', 'application/timestamp-reply').end(reply(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    rootFile: join(folder, 'root.pem'),
    root: readFileSync(join(folder, 'root.pem'), 'utf8'),
    reply,
    asked: () => asked,
    behave(next: Behaviour) {
      behaviour = next
    },
  }
}
