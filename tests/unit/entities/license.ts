import { licenses } from '@/db/schema'

export default {
  table: licenses,
  unrecorded: { state: 'what a check found, not a change', checkedAt: 'when it was checked' },
}
