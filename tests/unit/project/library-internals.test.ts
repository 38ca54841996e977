import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import Provider from 'oidc-provider'
import { expect, test } from 'vitest'
import { type Members, replaceMember } from '@/lib/openid/server/oidc-provider-internals'

/**
 * The files of libraries whose private parts the platform uses, each library by one file of ours. After an upgrade read
 * what has changed in them, compare it with our file, and renew version and hash.
 */
const libraries = {
  'drizzle-orm': {
    version: '0.45.4',
    usedBy: 'db/drizzle-internals.ts',
    files: ['node-postgres/session.js', 'pg-core/dialect.js'],
    hash: '571654e0f9e01baa',
  },
  'graphile-worker': {
    version: '0.18.0',
    usedBy: 'bin/graphile-internals.ts',
    files: ['dist/generated/sql.js'],
    hash: 'dca83c579043c492',
  },
  'icu-minify': {
    version: '4.14.8',
    usedBy: 'lib/base/i18n/parsed-messages.ts',
    files: ['dist/types/types.d.ts', 'dist/esm/production/compile.js'],
    hash: 'c3bab237d147d145',
  },
  next: {
    version: '16.4.6',
    usedBy: 'bin/server/router-headers.ts',
    files: ['dist/server/app-render/parse-and-validate-flight-router-state.js'],
    hash: '8f567be4e0dedde4',
  },
  'oidc-provider': {
    version: '9.13.3',
    usedBy: 'lib/openid/server/oidc-provider-internals.ts',
    files: [
      ...readdirSync('node_modules/oidc-provider/lib/models', { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js'))
        .sort()
        .map((file) => `lib/models/${file}`),
      'lib/shared/session.js',
      'lib/shared/xsrf.js',
      'lib/helpers/re_render_errors.js',
    ],
    hash: 'a006bc680732c24d',
  },
  pg: {
    version: '8.23.1',
    usedBy: 'lib/base/postgres/pg-internals.ts',
    files: ['lib/client.js', 'lib/connection.js'],
    hash: '36edbfb487c73dc9',
  },
}

test.each(Object.entries(libraries))('the private parts of %s are those that were read', (name, library) => {
  const read = (file: string) => readFileSync(`node_modules/${name}/${file}`, 'utf8')
  const hash = createHash('sha256')
  for (const file of library.files) hash.update(read(file))
  const installed = { version: JSON.parse(read('package.json')).version, hash: hash.digest('hex').slice(0, 16) }
  expect(installed, `compare ${library.usedBy} with ${library.files.join(', ')}`).toEqual({
    version: library.version,
    hash: library.hash,
  })
})

test('a member that oidc-provider doesn’t have isn’t replaced without a word', () => {
  const provider = new Provider('http://localhost:9')
  const unknown = 'Session#saveAll' as keyof Members
  expect(() => replaceMember(provider, unknown, (original) => original)).toThrow('oidc-provider has no Session#saveAll')
})
