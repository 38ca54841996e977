import { filesBelow, generated, type Made } from './source'

const helpers = ['index', 'columns']

/** Every file of tables, for the client and for drizzle-kit. */
export function schemaIndex(): Made {
  const names = filesBelow('db/schema', /^db\/schema\/[\w-]+\.ts$/)
    .map((file) => file.replace(/^.*\/|\.ts$/g, ''))
    .filter((name) => !helpers.includes(name))
  return { file: 'db/schema/index.ts', text: generated(names.map((name) => `export * from './${name}'`)) }
}
