import { getTableColumns } from 'drizzle-orm'
import { sessions } from '@/db/schema'

const recorded = ['browser', 'system', 'ip']

export default {
  unrecorded: Object.fromEntries(
    Object.keys(getTableColumns(sessions))
      .filter((name) => !recorded.includes(name))
      .map((name) => [name, 'the end of a session tells which one it was, by these three']),
  ),
}
