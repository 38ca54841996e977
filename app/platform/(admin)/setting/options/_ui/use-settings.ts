'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { compare, isSameValue, merged, type Side } from '@/components/form/conflict'
import type { KnownFields } from '@/components/form/form'
import type { ConcurrentChange } from '@/components/form/use-conflict'
import { useWriter } from '@/components/form/use-write'
import type { Conflict, FieldError } from '@/lib/base/runtime/errors'
import type {
  Scope,
  SettingModule,
  savePlatformSettings,
  saveUsersSettings,
} from '@/lib/operations/settings-screen/contract'
import { toWire } from '@/lib/site/settings/wire'
import { type Fault, faultsOf, settingsOf, type Values, valuesOf } from './values'

type SettingsInput = { scope: Scope; modules: readonly SettingModule[]; updatedAt: string }
type Failure = { text: string; count: number }

/** The method and path of the call, so that the page loads no contract with its schemas. */
const saving = (scope: Scope) =>
  ({
    name: scope === 'platform' ? 'savePlatformSettings' : 'saveUsersSettings',
    snackbar: 'settings',
    method: 'PATCH',
    path: `/setting/application/settings/${scope}`,
  }) as unknown as typeof savePlatformSettings & typeof saveUsersSettings

/** The values of the settings of a page: the stored ones, the unsaved changes, and their faults. */
export function useSettings({ scope, modules, updatedAt }: SettingsInput) {
  const router = useRouter()
  const settings = settingsOf(modules)
  const [base, setBase] = useState<Values>(() => valuesOf(modules))
  const [values, setValues] = useState<Values>(base)
  const [version, setVersion] = useState(updatedAt)
  const [faults, setFaults] = useState<Record<string, Fault>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [shared, setShared] = useState<FieldError[] | null>(null)
  const [met, setMet] = useState<ConcurrentChange['met']>(null)
  const fields: KnownFields = useRef(new Map())
  const { write, pending, reason, failureTitle } = useWriter()

  const changed = settings.filter(({ id }) => !isSameValue(base[id], values[id])).map(({ id }) => id)
  const dirty = changed.length > 0

  // a refreshed page shows what others saved, unless something is changed here: then saving shows the conflict
  const fresh = useRef(updatedAt)
  useEffect(() => {
    if (fresh.current === updatedAt) return
    fresh.current = updatedAt
    if (dirty || pending) return
    const next = valuesOf(modules)
    setBase(next)
    setValues(next)
    setVersion(updatedAt)
  }, [updatedAt, modules, dirty, pending])

  const fail = (text = '') => setFailure((before) => ({ text, count: (before?.count ?? 0) + 1 }))
  const change = (id: string, value: unknown) => {
    const next = { ...values, [id]: value }
    setValues(next)
    setFailure(null)
    // a fault disappears as soon as its cause does, and none appears while the person types
    const remaining = faultsOf(
      settings,
      next,
      settings.map((item) => item.id),
    )
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== id && remaining[name])))
  }
  /** Checks a setting when the person leaves it. */
  const check = (id: string) => {
    if (!changed.includes(id)) return
    const fault = faultsOf(settings, values, changed)[id]
    if (fault) setFaults((before) => ({ ...before, [id]: fault }))
  }
  const reset = () => {
    setValues(base)
    setFaults({})
    setFailure(null)
    setMet(null)
  }

  const meet = ({ at, by, ...conflict }: Conflict) => {
    const comparison = compare({ ...base }, { ...values }, conflict)
    const [stored, next] = [{ ...base, ...comparison.theirs }, merged({ ...values }, comparison)]
    setBase(stored)
    setValues(next)
    setVersion(conflict.updatedAt)
    const chosen = Object.fromEntries(
      comparison.differences.flatMap(({ name, both }) => (both ? [] : [[name, 'theirs' as const]])),
    )
    setMet((before) => ({
      at,
      by,
      differences: comparison.differences,
      chosen,
      count: (before?.count ?? 0) + 1,
      missing: false,
      same: isSameValue(next, stored),
    }))
  }
  const choose = (names: readonly string[], side: Side) => {
    if (!met) return
    const takenValues = met.differences
      .filter(({ name }) => names.includes(name))
      .map((item) => [item.name, item[side]] as const)
    setValues({ ...values, ...Object.fromEntries(takenValues) })
    const chosen = { ...met.chosen, ...Object.fromEntries(names.map((name) => [name, side])) }
    setMet({ ...met, chosen, missing: false })
  }

  const save = async (): Promise<string[]> => {
    if (pending || !dirty) return []
    if (met && !met.differences.every(({ name }) => met.chosen[name])) {
      setMet({ ...met, missing: true, count: met.count + 1 })
      return []
    }
    const wrong = faultsOf(settings, values, changed)
    setFaults(wrong)
    const contract = saving(scope)
    if (Object.keys(wrong).length > 0) {
      fail(failureTitle(contract))
      return Object.keys(wrong)
    }
    const body = Object.fromEntries(
      settings.flatMap(({ id, type }) => {
        if (!changed.includes(id)) return []
        const { value, value_props } = toWire(type, values[id])
        const inProps = type === 'role' || type === 'networkAliases' || type === 'recipients'
        return [[id, inProps ? { value_props } : type === 'duration' ? { value, value_props } : { value }]]
      }),
    )
    const outcome = await write(contract, { body: { ...body, updatedAt: version } } as never, { failure: 'form' })
    if (!outcome) return []
    if (outcome.ok) {
      setBase(values)
      setVersion(outcome.output.updatedAt)
      fresh.current = outcome.output.updatedAt
      setFaults({})
      setFailure(null)
      setMet(null)
      return []
    }
    const { data, errorList } = outcome.error
    if (data.conflict) {
      meet(data.conflict)
      router.refresh()
      return []
    }
    if (data.uniqueErrors) setShared(data.uniqueErrors)
    const refusedFaults = errorList.map(
      ({ field, code, params }) => [field.split('.')[0] ?? field, { code, params }] as const,
    )
    setFaults(Object.fromEntries(refusedFaults))
    fail(refusedFaults.length > 0 ? failureTitle(contract) : reason(outcome.error))
    return refusedFaults.map(([id]) => id)
  }

  return {
    base,
    values,
    changed,
    faults,
    failure,
    pending,
    shared,
    fields,
    meanwhile: { met, gone: null, choose, typed: () => ({ ...values }) } satisfies ConcurrentChange,
    change,
    check,
    reset,
    save,
    closeShared: () => setShared(null),
  }
}
