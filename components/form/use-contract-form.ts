'use client'

import { type RefObject, useCallback, useId, useRef, useState } from 'react'
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
import type { CallInput, CallOutput, Contract } from '@/lib/base/contracts/contract'
import { issueCode } from '@/lib/base/contracts/issues'
import { CallError } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'
import { type Loadable, loaded, type Sent } from './actions'
import { isSameValue } from './conflict'
import { errorsElsewhere, fieldErrors } from './field-errors'
import type { BodyOf, FieldsOf } from './field-name'
import type { KnownFields } from './form'
import { type ConcurrentChange, useConflict } from './use-conflict'
import { useErrorText } from './use-error-text'
import { useWriter } from './use-write'

/** Loads or computes the value for the field `name`; the form's other fields are checked before. */
export type FirstStep = { name: string; take: () => Promise<void> }

/** The failure of the form as a whole; `count` distinguishes repeated failures. */
type FormFailure = { title: string | undefined; texts: string[]; count: number }

/** A form for its parts; `fieldsOf` names its fields. A form with more fields is assignable to one with fewer. */
export type FormOf<Values> = FieldsOf<Values> & {
  /** The prefix of the ids of the form's fields, so that two forms in a page don't share them. */
  id: string
  form: unknown
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>
  /** Discards what was typed, and all errors. */
  cancel: () => void
  failure: FormFailure | null
  pending: boolean
  /** Loads the input check; called when the person enters the form. */
  prepare: () => void
  /** The mounted fields by name, for the error summary and for conflicts. */
  fields: KnownFields
  /** The step before the form can be sent, such as sending a code. Enter and the step's own button take it. */
  first: RefObject<FirstStep | null>
  /** What another person did to the object while the form was open. */
  meanwhile: ConcurrentChange
  /** Whether an object that another person deleted can be created again. */
  again: boolean
}
export type ContractForm<Values extends FieldValues = FieldValues> = FormOf<Values> & { form: UseFormReturn<Values> }

type Parts<C> = Omit<CallInput<C>, 'body'>

type Options<C extends Contract, Values extends FieldValues> = {
  defaultValues: DefaultValues<Values>
  /** The call's path and query parameters. */
  parts?: Parts<C>
  /** Converts the form's values to the call's body, if the two differ. */
  toBody?: (values: Values) => BodyOf<C>
  /** Fields that are optional for the call, but required in this form. */
  needed?: readonly FieldPath<Values>[]
  /** The form's name of a field of the body, if it differs. */
  fieldOf?: (field: string) => string
  /** The values for the snackbar's text. */
  params?: (values: Values) => Record<string, string | number>
  /** Replaces the call if saving takes several calls; throws CallError as `call` does. */
  send?: (body: BodyOf<C>) => Promise<CallOutput<C>>
  /** Creates the object again if another person deleted it while the form was open. */
  again?: (values: Values) => Sent
  /** Shows no snackbar after a success: the form shows the result itself. */
  quiet?: boolean
  /** Called with a failure, for what the form shows in addition to its errors. */
  onRefused?: (error: CallError) => void
  /** Called after a success; in a dialog, closes it. */
  onDone?: (output: CallOutput<C>) => void
  /** Whether `onDone` leaves the page. */
  leaves?: true
}

/**
 * A form for a call. It checks the input against the contract's body before it sends it with `call`. It shows errors of
 * errorList next to their fields and all others above the form. `defaultValues` must have every field. A form with
 * which a page opens takes a function that loads the contract: the page doesn't wait for zod.
 */
export function useContractForm<C extends Contract, Values extends FieldValues = BodyOf<C>>(
  contract: Loadable<C>,
  {
    defaultValues,
    parts,
    toBody,
    needed = [],
    fieldOf = (field) => field,
    params,
    send: sendBody,
    again,
    quiet = false,
    onRefused,
    onDone,
    leaves,
  }: Options<C, Values>,
): ContractForm<Values> {
  const id = useId()
  const errorText = useErrorText()
  const fields = useRef<KnownFields['current']>(new Map())
  const first = useRef<FirstStep | null>(null)
  const [failure, setFailure] = useState<FormFailure | null>(null)
  const bodyOf = (values: Values) => (toBody ? toBody(values) : (values as unknown as BodyOf<C>))

  const loadCheck = async () => {
    const [{ zodResolver }, { body }] = await Promise.all([import('@hookform/resolvers/zod'), loaded(contract)])
    // as on the server, codes of the schema win over issues without a code
    return zodResolver(body as z.ZodType<FieldValues, FieldValues>, { error: (issue) => issueCode(issue) })
  }
  const resolver: Resolver<Values> = async (values, context, options) => {
    // without a network the contract can't be loaded; sending then shows that failure
    const check = await loadCheck().catch(() => null)
    const checked = (await check?.(bodyOf(values) as FieldValues, context, options as never)) ?? { errors: {} }
    const missing = needed.flatMap((name) =>
      values[name] ? [] : [[name, { type: 'required', message: 'errorEmpty' }]],
    )
    const errors = {
      ...fieldErrors(Object.fromEntries(missing), (name) => name, errorText),
      ...fieldErrors(checked.errors, fieldOf, errorText),
    }
    if (Object.keys(errors).length === 0) return { values, errors: {} }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
  // the summary takes the focus, not the first field
  const form = useForm<Values>({ defaultValues, resolver, shouldFocusError: false, criteriaMode: 'firstError' })
  const { write, reason, failureTitle } = useWriter()
  const conflict = useConflict(form)
  const { gone } = conflict.meanwhile
  const { dismiss } = conflict
  const cancel = useCallback(() => {
    form.reset()
    setFailure(null)
    dismiss()
  }, [form, dismiss])
  const saving = (values: Values): Sent => ({
    contract,
    input: { ...parts, body: bodyOf(values) },
    ...(sendBody ? { send: ({ body }: { body: BodyOf<C> }) => sendBody(body) } : {}),
  })

  const fail = (title: string | undefined, texts: string[] = []) =>
    setFailure((before) => ({ title, texts, count: (before?.count ?? 0) + 1 }))
  const put = (fault: FieldError): string | undefined => {
    // a path in another notation: locales[1].content
    const name = fieldOf(fault.field.replace(/\[(\d+)\]/g, '.$1'))
    const text = errorText(fault.code, fault.params)
    form.setError(name as FieldPath<Values>, { type: 'server', message: text })
    // an error of a field that isn't on screen is shown above the form, too
    return fields.current.has(name) ? undefined : text
  }
  /** Takes the first step if only its own field is missing. */
  const begin = ({ name, take }: FirstStep, errors: FieldErrors<Values>) => {
    const { [name]: _, ...others } = errors as FieldErrors
    form.clearErrors(name as FieldPath<Values>)
    if (Object.keys(others).length > 0)
      return fail(
        undefined,
        errorsElsewhere(others, (each) => fields.current.has(each)),
      )
    setFailure(null)
    void take()
  }
  const send = async (values: Values) => {
    setFailure(null)
    const sent = gone && again ? again(values) : saving(values)
    const loadedContract = await loaded(sent.contract).catch(() => null)
    if (!loadedContract) return fail(undefined, [reason(new CallError(0, 'techError', {}, undefined, undefined))])
    const words = sent.params ?? params?.(values)
    const outcome = await write(loadedContract, sent.input as never, {
      params: words,
      failure: 'form',
      send: sent.send,
      quiet,
      leaves: leaves && (() => true),
    })
    if (!outcome) return
    if (outcome.ok) {
      conflict.settle()
      // input typed during the save stays, as unsaved
      const typed: Values = structuredClone(form.getValues())
      form.reset(values)
      if (!isSameValue(typed, values)) form.reset(typed as DefaultValues<Values>, { keepDefaultValues: true })
      onDone?.(outcome.output as CallOutput<C>)
      return
    }
    onRefused?.(outcome.error)
    if (conflict.take(outcome.error)) return
    const { errorList } = outcome.error
    const elsewhere = errorList.flatMap((fault) => put(fault) ?? [])
    fail(failureTitle(loadedContract, words), errorList.length > 0 ? elsewhere : [reason(outcome.error)])
  }
  return {
    id,
    form,
    fields,
    first,
    failure,
    meanwhile: conflict.meanwhile,
    again: again !== undefined,
    pending: form.formState.isSubmitting,
    cancel,
    prepare: () => void loadCheck().catch(() => undefined),
    submit: (event) => {
      // in React's tree, a form in a dialog is a child of the page's form
      event?.stopPropagation()
      if ((gone && !again) || !conflict.ready()) {
        event?.preventDefault()
        return Promise.resolve()
      }
      const step = first.current
      if (step)
        return form.handleSubmit(
          () => begin(step, {}),
          (errors) => begin(step, errors),
        )(event)
      return form.handleSubmit(send, (errors) =>
        fail(
          undefined,
          errorsElsewhere(errors, (name) => fields.current.has(name)),
        ),
      )(event)
    },
  }
}
