'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldError } from '@/lib/kernel/errors'
import type { CallInput, CallOutput, Contract } from '@/lib/kernel/http/contract'
import { issueCode } from '@/lib/kernel/http/issues'
import type { BodyOf, FieldsOf } from './field-name'
import { useErrorText } from './use-error-text'
import { useWrite } from './use-write'

/** The failure of the form as a whole; `count` distinguishes one failure from the next. */
type FormFailure = { title: string | undefined; texts: string[]; count: number }

/** A form for its parts; `fieldsOf` names its fields. A form with more fields is assignable to one with fewer. */
export type FormOf<Values> = FieldsOf<Values> & {
  /** Begins the ids of the form's fields, so that two forms in a page don't share them. */
  id: string
  form: unknown
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>
  failure: FormFailure | null
  pending: boolean
  /** Fields by name in their order, for the summary of errors. */
  fields: React.RefObject<Map<string, { id: string; label: string }>>
}
export type ContractForm<Values extends FieldValues = FieldValues> = FormOf<Values> & { form: UseFormReturn<Values> }

type Parts<C> = Omit<CallInput<C>, 'body'>

type Options<C extends Contract, Values extends FieldValues> = {
  defaultValues: DefaultValues<Values>
  /** The call's path and query parameters. */
  parts?: Parts<C>
  /** Converts the form's values to the call's body, if the two differ. */
  toBody?: (values: Values) => BodyOf<C>
  /** The form's own name for a field of the body, where that differs. */
  fieldOf?: (field: string) => string
  /** What fills the notice's text. */
  params?: (values: Values) => Record<string, string | number>
  /** Replaces the call if saving takes several calls; throws CallError as `call` does. */
  send?: (body: BodyOf<C>) => Promise<CallOutput<C>>
  /** Called after a success; in a dialog, closes it. */
  onDone?: (output: CallOutput<C>) => void
}

/** Errors as their texts: codes are message keys. */
function inWords<T extends FieldValues>(errors: FieldErrors<T>, text: (code: string) => string): FieldErrors<T> {
  const walk = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null || node instanceof Element) return node
    if (Array.isArray(node)) return node.map(walk)
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (key === 'ref') return [key, value]
        return [key, key === 'message' && typeof value === 'string' ? text(value) : walk(value)]
      }),
    )
  }
  return walk(errors) as FieldErrors<T>
}

/**
 * A form of a call. The contract's body checks it before it is sent with `call`. Errors of errorList are shown next to
 * their fields, everything else above the form. `defaultValues` must have every field.
 */
export function useContractForm<C extends Contract, Values extends FieldValues = BodyOf<C>>(
  contract: C,
  { defaultValues, parts, toBody, fieldOf = (field) => field, params, send: sendBody, onDone }: Options<C, Values>,
): ContractForm<Values> {
  const id = useId()
  const errorText = useErrorText()
  const fields = useRef(new Map<string, { id: string; label: string }>())
  const [failure, setFailure] = useState<FormFailure | null>(null)
  const bodyOf = (values: Values) => (toBody ? toBody(values) : (values as unknown as BodyOf<C>))

  // the schema's own codes win over those of issues without one, as on the server
  const check = zodResolver(contract.body as z.ZodType<FieldValues, FieldValues>, {
    error: (issue) => issueCode(issue),
  })
  const resolver: Resolver<Values> = async (values, context, options) => {
    const { errors } = await check(bodyOf(values) as FieldValues, context, options as never)
    if (Object.keys(errors).length === 0) return { values, errors: {} }
    return { values: {}, errors: inWords(errors as FieldErrors<Values>, errorText) }
  }
  // the summary takes the focus, not the first field
  const form = useForm<Values>({ defaultValues, resolver, shouldFocusError: false, criteriaMode: 'firstError' })
  const { write, reason, failureTitle } = useWrite(contract, {
    failure: 'inside',
    send: sendBody && (({ body }: { body: BodyOf<C> }) => sendBody(body)),
  })

  const fail = (title: string | undefined, texts: string[] = []) =>
    setFailure((before) => ({ title, texts, count: (before?.count ?? 0) + 1 }))
  const put = (fault: FieldError): string | undefined => {
    const name = fieldOf(fault.field)
    const text = errorText(fault.code, fault.params)
    // an error of a field that isn't on screen is shown above the form
    if (!fields.current.has(name)) return text
    form.setError(name as FieldPath<Values>, { type: 'server', message: text })
    return undefined
  }
  const send = async (values: Values) => {
    setFailure(null)
    const words = params?.(values)
    const outcome = await write({ ...parts, body: bodyOf(values) } as CallInput<C>, words)
    if (!outcome) return
    if (outcome.ok) {
      form.reset(values)
      onDone?.(outcome.output)
      return
    }
    const { errorList } = outcome.error
    const elsewhere = errorList.flatMap((fault) => put(fault) ?? [])
    fail(failureTitle(words), errorList.length > 0 ? elsewhere : [reason(outcome.error)])
  }
  return {
    id,
    form,
    fields,
    failure,
    pending: form.formState.isSubmitting,
    submit: (event) => {
      // a form in a dialog is a child of the page's by React's tree
      event?.stopPropagation()
      return form.handleSubmit(send, () => fail(undefined))(event)
    },
  }
}
