'use client'

import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import type { FieldName } from '@/components/form/field-name'
import { useFieldId } from '@/components/form/form'
import { Mono } from '@/components/ui/mono'
import { TextLink } from '@/components/ui/text-link'
import type { TypeChoice } from '@/lib/applications/webhooks/contract'
import { partsOf, type WebhookType, webhookObjects } from '@/lib/applications/webhooks/types'
import { typeWords } from './webhook-words'

type Props = {
  name: FieldName<readonly WebhookType[]>
  types: readonly TypeChoice[]
  /** The address of the tab on which the methods of the service account are given. */
  access: string
}

/**
 * The events that a webhook receives, by their objects. Events that the application may not receive aren't offered; the
 * missing method is named instead. A type that was chosen before can be removed.
 */
export function WebhookTypes({ name, types, access }: Props) {
  const t = useTranslations('webhooks')
  const nameOf = typeWords(t)
  const { field, fieldState } = useController({ name })
  const chosen: readonly WebhookType[] = field.value ?? []
  const id = useFieldId(name, t('types'), {
    show: (value) => (Array.isArray(value) ? value.map((type) => nameOf(String(type))).join('; ') : undefined),
  })
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  const allowed = new Set(types.flatMap((choice) => (choice.allowed ? [choice.type] : [])))
  const set = (type: WebhookType, checked: boolean) =>
    field.onChange(
      webhookObjects
        .flatMap((object) => object.types)
        .filter((offeredType) => (offeredType === type ? checked : chosen.includes(offeredType))),
    )
  const offered = webhookObjects.flatMap(({ types: all, ...object }) => {
    const visibleTypes = all.filter((type) => allowed.has(type) || chosen.includes(type))
    return visibleTypes.length > 0
      ? [{ ...object, shown: visibleTypes, barred: !visibleTypes.some((type) => allowed.has(type)) }]
      : []
  })
  const missing = webhookObjects.filter((object) => !object.types.some((type) => allowed.has(type)))
  const [firstType] = offered.flatMap(({ shown }) => shown)
  return (
    <fieldset className="@container grid min-w-0 gap-2.5" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-2.5 font-medium text-table">{t('types')}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      <div className="grid divide-y divide-line rounded-card border border-line">
        {offered.map(({ name: object, method, shown, barred }) => (
          <fieldset
            key={object}
            aria-label={t(`objects.${object}`)}
            className="grid gap-x-4 gap-y-1.5 px-3.5 py-2.5 @min-[34rem]:grid-cols-[minmax(0,1fr)_auto]"
          >
            <span className="grid">
              <span className="wrap-anywhere">{t(`objects.${object}`)}</span>
              {barred ? (
                <span className="text-danger text-note">
                  {t.rich('notHeard', { method, code: (chunks) => <Mono>{chunks}</Mono> })}
                </span>
              ) : null}
            </span>
            {/* on a phone there is no room for three side by side */}
            <span className="grid grid-cols-2 gap-x-5 gap-y-1.5 @min-[23rem]:flex @min-[23rem]:flex-wrap">
              {shown.map((type) => {
                const boxId = type === firstType ? id : `${id}-${type}`
                return (
                  <span key={type} className="flex items-center gap-2 pointer-coarse:min-h-9">
                    <CheckboxBox
                      id={boxId}
                      ref={type === firstType ? field.ref : undefined}
                      checked={chosen.includes(type)}
                      aria-invalid={error ? true : undefined}
                      onCheckedChange={(checked) => set(type, checked === true)}
                      onBlur={field.onBlur}
                    />
                    <label htmlFor={boxId} className="cursor-pointer text-table">
                      <span className="sr-only">{t(`objects.${object}`)}: </span>
                      {t(`acts.${partsOf(type)[1]}`)}
                    </label>
                  </span>
                )
              })}
            </span>
          </fieldset>
        ))}
      </div>
      {missing.length > 0 ? <Missing objects={missing} access={access} /> : null}
    </fieldset>
  )
}

/** The objects that aren't offered, by the method that they need. */
function Missing({ objects, access }: { objects: typeof webhookObjects; access: string }) {
  const t = useTranslations('webhooks')
  const methods = [...new Set(objects.map(({ method }) => method))]
  return (
    <details className="text-note">
      <summary className="cursor-pointer rounded-[2px] text-ink-second underline underline-offset-4">
        {t('notOffered', { count: objects.length })}
      </summary>
      <div className="mt-2 grid gap-2 text-ink-second">
        <p>{t.rich('notOfferedText', { link: (chunks) => <TextLink href={access}>{chunks}</TextLink> })}</p>
        <ul className="grid gap-1">
          {methods.map((method) => (
            <li key={method} className="wrap-anywhere flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <Mono>{method}</Mono>
              {objects
                .filter((object) => object.method === method)
                .map(({ name }) => t(`objects.${name}`))
                .join(', ')}
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}
