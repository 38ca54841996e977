'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { compare, isSameValue, merged, type Side } from '@/components/form/conflict'
import type { KnownFields } from '@/components/form/form'
import type { Meanwhile } from '@/components/form/use-conflict'
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

type Given = { scope: Scope; modules: readonly SettingModule[]; updatedAt: string }
type Failure = { text: string; count: number }

/** The address of the call, so that the page loads no contract with its schemas. */
const saving = (scope: Scope) =>
  ({
    name: scope === 'platform' ? 'savePlatformSettings' : 'saveUsersSettings',
    snackbar: 'settings',
    method: 'PATCH',
    path: `/setting/application/settings/${scope}`,
  }) as unknown as typeof savePlatformSettings & typeof saveUsersSettings

/** The values of the settings of a page: what is stored, what was changed and not saved, and what is wrong with it. */
export function useSettings({ scope, modules, updatedAt }: Given) {
  const router = useRouter()
  const settings = settingsOf(modules)
  const [base, setBase] = useState<Values>(() => valuesOf(modules))
  const [values, setValues] = useState<Values>(base)
  const [version, setVersion] = useState(updatedAt)
  const [faults, setFaults] = useState<Record<string, Fault>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [shared, setShared] = useState<FieldError[] | null>(null)
  const [met, setMet] = useState<Meanwhile['met']>(null)
  const fields: KnownFields = useRef(new Map())
  const { write, pending, reason, failureTitle } = useWriter()

  const changed = settings.filter(({ id }) => !isSameValue(base[id], values[id])).map(({ id }) => id)
  const dirty = changed.length > 0

  // a page that was refreshed shows what others saved, unless something is changed here: then saving tells
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
    // a fault goes away as soon as its cause does, and none appears while somebody types
    const now = faultsOf(
      settings,
      next,
      settings.map((one) => one.id),
    )
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== id && now[name])))
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
    const found = compare({ ...base }, { ...values }, conflict)
    const [stored, next] = [{ ...base, ...found.theirs }, merged({ ...values }, found)]
    setBase(stored)
    setValues(next)
    setVersion(conflict.updatedAt)
    const chosen = Object.fromEntries(
      found.differences.flatMap(({ name, both }) => (both ? [] : [[name, 'theirs' as const]])),
    )
    setMet((before) => ({
      at,
      by,
      differences: found.differences,
      chosen,
      count: (before?.count ?? 0) + 1,
      missing: false,
      same: isSameValue(next, stored),
    }))
  }
  const choose = (names: readonly string[], side: Side) => {
    if (!met) return
    const taken = met.differences
      .filter(({ name }) => names.includes(name))
      .map((one) => [one.name, one[side]] as const)
    setValues({ ...values, ...Object.fromEntries(taken) })
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
    const refused = errorList.map(
      ({ field, code, params }) => [field.split('.')[0] ?? field, { code, params }] as const,
    )
    setFaults(Object.fromEntries(refused))
    fail(refused.length > 0 ? failureTitle(contract) : reason(outcome.error))
    return refused.map(([id]) => id)
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
    meanwhile: { met, gone: null, choose, typed: () => ({ ...values }) } satisfies Meanwhile,
    change,
    check,
    reset,
    save,
    closeShared: () => setShared(null),
  }
}
