import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const folder = 'docs/containers'
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const documents = (file: string) =>
  parseAllDocuments(read(file), { merge: true, uniqueKeys: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    return document.toJS()
  })
const [job] = documents('migrate.yaml')
const [settings, deployment, service, budget] = documents('parvis.yaml')
const [database] = documents('database.yaml')
const [compose] = documents('compose.yaml')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Names of the settings that exist. */
const known = Array.from(readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm), ([, name]) => name)
/** Variables of `.env` that the service must not get. */
const withheld = ['POSTGRES_PASSWORD', 'PARVIS_OWNER_PASSWORD', 'MIGRATE_DATABASE_URL']
const pods = { job: job.spec.template.spec, deployment: deployment.spec.template.spec }

test('the manifests set only settings that exist', () => {
  const names = [
    ...Object.keys(settings.data),
    ...Object.keys(compose.services.parvis.environment).filter((name) => !withheld.includes(name)),
    ...Object.keys(compose.services.migrate.environment),
    ...pods.job.containers[0].env.map((one: { name: string }) => one.name),
    ...Array.from(read('Containerfile').matchAll(/\b([A-Z_]+)=(?=\/|0)/g), ([, name]) => name),
  ]
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test.each(Object.entries(pods))(
  'the pod of the %s runs as an ordinary user on a read-only root',
  (_name, pod) => {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
    expect(pod.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' })
    for (const { image, resources, securityContext } of pod.containers) {
      expect(image).toBe(`registry.example.org/parvis:${version}`)
      expect(resources.limits.memory).toBeDefined()
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  },
)

test('service, budget and rollout mean the pods of the deployment, and one of them always serves', () => {
  const { labels } = deployment.spec.template.metadata
  for (const labelled of [
    deployment.spec.selector.matchLabels,
    service.spec.selector,
    budget.spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(labelled)
  expect(job.spec.template.metadata.labels).not.toMatchObject(service.spec.selector)
  expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas)
  expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
})

test('the manifests trust the ingress alone: no network in which other pods are', () => {
  const trusted = [settings.data.TRUST_PROXY, compose.services.parvis.environment.TRUST_PROXY]
  // By default none.
  expect(trusted[1]).toMatch(/^\$\{TRUST_PROXY:-\}$/)
  const networks = trusted[0].split(',')
  // One network: a second would trust what a second proxy says of a third.
  expect(networks).toHaveLength(1)
  const [, bits = '32'] = networks[0].split('/')
  expect(Number(bits)).toBeGreaterThan(16)
})

test('there is time to stop: SHUTDOWN_DELAY, 10 s and a little more', () => {
  const { terminationGracePeriodSeconds } = pods.deployment
  expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.data.SHUTDOWN_DELAY) + 15)
  expect(Number.parseInt(compose.services.parvis.stop_grace_period, 10)).toBeGreaterThan(3 + 15)
})

test('probes and commands name what the service has', () => {
  const [{ ports, startupProbe, livenessProbe, readinessProbe }] = pods.deployment.containers
  expect(ports).toContainEqual({ name: 'http', containerPort: 3000 })
  expect(ports).toContainEqual({ name: 'metrics', containerPort: Number(settings.data.METRICS_PORT) })
  const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)
  expect(asked).toEqual(['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })))
  const migrate = ['bin/node', 'bin/parvis-cli.js', 'migrate']
  expect([pods.job.containers[0].command, compose.services.migrate.command]).toEqual([migrate, migrate])
})

test('the service has no password of the owner', () => {
  const { environment, ...rest } = compose.services.parvis
  const values = Object.values(environment)
  expect(JSON.stringify([rest, values, pods.deployment])).not.toMatch(/OWNER|MIGRATE/)
  // All of `.env` reaches the service, unless `environment` overrides it.
  expect(rest.env_file).toEqual([{ path: '.env', required: false }])
  expect(withheld.map((name) => environment[name])).toEqual(['', '', ''])
  expect(compose.services.parvis).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    depends_on: { migrate: { condition: 'service_completed_successfully' } },
  })
  expect(compose.services.database.image).toMatch(/^\$\{POSTGRES_IMAGE:-postgres:18\}$/)
})

test('the database has the roles that the addresses name, and the secrets are those of the instructions', () => {
  const { bootstrap, managed, instances } = database.spec
  const passwords = {
    [bootstrap.initdb.owner]: bootstrap.initdb.secret.name,
    ...Object.fromEntries(
      managed.roles.map((role: { name: string; passwordSecret: { name: string } }) => [
        role.name,
        role.passwordSecret.name,
      ]),
    ),
  }
  const section =
    readFileSync('docs/operations.md', 'utf8').split('### In Kubernetes')[1]?.split('\n## ')[0] ?? ''
  const made = Array.from(section.matchAll(/^role (\S+) (\S+) "\$\w+"$/gm), ([, secret, role]) => [
    role,
    secret,
  ])
  expect(Object.fromEntries(made)).toEqual(passwords)
  const urls = Array.from(
    section.matchAll(/([A-Z_]+)="postgres:\/\/(\w+):\$\w+@([\w-]+)\/(\w+)"/g),
    ([, setting, role, host, name]) => [setting, role, host, name],
  )
  const { name } = database.metadata
  expect(urls).toEqual([
    ['MIGRATE_DATABASE_URL', bootstrap.initdb.owner, `${name}-rw`, bootstrap.initdb.database],
    ['DATABASE_URL', 'parvis_service', `${name}-rw`, bootstrap.initdb.database],
    ['READ_DATABASE_URL', 'parvis_reads', `${name}-ro`, bootstrap.initdb.database],
  ])
  const generic = Array.from(section.matchAll(/create secret generic ([\w-]+)/g), ([, secret]) => secret)
  const used = [
    ...pods.job.containers[0].env.map(
      (one: { valueFrom: { secretKeyRef: { name: string } } }) => one.valueFrom.secretKeyRef.name,
    ),
    ...pods.deployment.containers[0].envFrom.flatMap(
      (one: { secretRef?: { name: string } }) => one.secretRef?.name ?? [],
    ),
  ]
  expect(generic.toSorted()).toEqual([...new Set(used)].toSorted())
  // The role of the replicas cannot write, and no acknowledged change is lost with one server.
  expect(managed.roles.find((role: { name: string }) => role.name === 'parvis_reads').inRoles).toEqual([
    'pg_read_all_data',
  ])
  expect(database.spec.postgresql.synchronous.number).toBeLessThan(instances)
  expect(database.spec.postgresql.synchronous.dataDurability).toBe('required')
  expect(Number(database.spec.postgresql.parameters.max_connections)).toBeGreaterThan(
    // One more during a rollout.
    16 * (deployment.spec.replicas + 1) + 20,
  )
})
