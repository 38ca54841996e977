import pg from 'pg'

/** Empties a database that an earlier run has left, as its owner: services of their own keep their data. */
export async function emptyDatabase(ownerUrl: string) {
  const address = new URL(ownerUrl)
  const name = address.pathname.slice(1)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name}`)
  await client.end()
}
