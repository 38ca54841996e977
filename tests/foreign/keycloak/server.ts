import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import { freePort, run, startService, untilUp } from '@/bin/embedded/process'

const version = '26.7.3'
const folder = resolve('.data/keycloak')
const admin = { login: 'keycloak-admin', password: 'Keycloak-Boss-2026' }

/** Fetches the distribution from Maven Central, unless it is there. Returns its folder. */
async function distribution(): Promise<string> {
  const home = `${folder}/keycloak-${version}`
  if (existsSync(`${home}/bin/kc.sh`)) return home
  await mkdir(folder, { recursive: true })
  const archive = `${folder}/keycloak-quarkus-dist-${version}.tar.gz`
  if (!existsSync(archive))
    await run('mvn', [
      ...['-q', '-B', 'dependency:copy', `-DoutputDirectory=${folder}`],
      `-Dartifact=org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`,
    ])
  await run('tar', ['-xzf', archive, '-C', folder])
  return home
}

/** Makes an empty database beside that of the platform. Returns how Java reaches it. */
async function emptyDatabase(ownerUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('drop database if exists keycloak with (force)')
  await client.query('create database keycloak')
  await client.end()
  const { host, username, password } = new URL(ownerUrl)
  return { KC_DB_URL: `jdbc:postgresql://${host}/keycloak`, KC_DB_USERNAME: username, KC_DB_PASSWORD: password }
}

/** Starts Keycloak with an empty database in the given PostgreSQL. Returns its address and its Admin REST API. */
export async function startKeycloak(ownerUrl: string) {
  const home = await distribution()
  const [database, port, management] = [await emptyDatabase(ownerUrl), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const log = `${folder}/keycloak.log`
  await rm(log, { force: true })
  Object.assign(process.env, database, {
    KC_BOOTSTRAP_ADMIN_USERNAME: admin.login,
    KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    JAVA_OPTS_KC_HEAP: '-Xms256m -Xmx1g',
  })
  const built = [`${home}/bin/kc.sh`, 'build', '--db=postgres']
  if (!existsSync(`${home}/data/built`)) {
    await run('bash', built)
    await mkdir(`${home}/data/built`, { recursive: true })
  }
  const service = await startService(
    'bash',
    [
      ...[`${home}/bin/kc.sh`, 'start', '--optimized', '--http-enabled=true', '--hostname-strict=false'],
      ...['--http-host=127.0.0.1', `--http-port=${port}`, `--http-management-port=${management}`],
      // one node needs no cluster
      '--cache=local',
    ],
    { log, cwd: home, signal: 'SIGTERM' },
  )
  await untilUp('Keycloak', service, log, async () => {
    if (!(await fetch(`${url}/realms/master`)).ok) throw new Error('not up yet')
  })

  let login = { token: '', until: 0 }
  async function token(): Promise<string> {
    if (Date.now() < login.until) return login.token
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: admin.login, ...admin }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    login = { token: access_token, until: Date.now() + 30_000 }
    return access_token
  }

  /** Makes a call of the Admin REST API. Throws for an answer that is no success. */
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text ? JSON.parse(text) : null) as T
  }
  return { url, version, ask, stop: () => service.stop() }
}
export type Keycloak = Awaited<ReturnType<typeof startKeycloak>>
