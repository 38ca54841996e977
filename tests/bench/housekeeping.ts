import { allowLongStatements } from '@/db/client'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { compose } from '@/lib/wiring/compose'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'

// a process that does a step of housekeeping whenever it gets its name, and says then whether it failed
allowLongStatements()
compose()
await loadPermanentKeys()
process.on('message', (name: string) => {
  const step = platformHousekeeping[name] ?? (() => Promise.reject(new Error(`there is no step ${name}`)))
  step(new Date()).then(
    () => process.send?.({}),
    (error: unknown) => process.send?.({ fault: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ steps: Object.keys(platformHousekeeping) })
