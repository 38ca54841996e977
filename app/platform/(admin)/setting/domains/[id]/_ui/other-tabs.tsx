'use client'

import { useTranslations } from 'next-intl'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FormSwitch } from '@/components/form/form-choice'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormLines } from '@/components/form/form-lines'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { PictureField } from '@/components/form/picture-field'
import { useRemote } from '@/components/form/use-remote'
import { searchIn } from '@/components/form/use-search'
import { Mark } from '@/components/look/mark'
import { imageCodes } from '@/lib/site/domains/style-codes'
import { logoRule } from '@/lib/site/pictures/rule'
import { ChoiceCards } from './choice-cards'
import { OrderedField } from './ordered-field'
import type { StyleLook } from './preview-look'
import { field } from './values'

const agreementFlags = ['loginRequired', 'footerVisible', 'menuVisible', 'profileVisible'] as const

const timeZones = searchIn(Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, label: name })))

/** Host names, and whether the domain serves them. */
export function AddressesTab({ base }: { base: boolean }) {
  const t = useTranslations('domains')
  return (
    <div className="grid gap-6">
      <FormLines
        name={field('aliases')}
        label={t('aliases')}
        hint={t(base ? 'aliasesBaseHint' : 'aliasesHint')}
        rowLabel={t('host')}
        addLabel={t('addHost')}
        empty={t('noHosts')}
        first={{ note: t('firstHost'), label: (name) => t('makeFirst', { name }) }}
        max={50}
        maxLength={255}
      />
      <FormText name={field('comment')} label={t('comment')} hint={t('commentHint')} maxLength={255} />
      <FormCombobox name={field('timeZone')} label={t('timeZone')} hint={t('timeZoneHint')} search={timeZones} />
      {base ? null : (
        <>
          <FormSelect
            name={field('type')}
            label={t('type')}
            hint={t('typeHint')}
            options={(['other', 'draft'] as const).map((value) => ({ value, label: t(`types.${value}`) }))}
          />
          <FormSwitch name={field('enabled')} label={t('enabled')} hint={t('enabledHint')} />
        </>
      )}
    </div>
  )
}

type LookProps = { id: string; name: string; logoId: string | null; looks: readonly StyleLook[] }

/** The colors, the emblem or logo, and what else pages of the domain show. */
export function LookTab({ id, name, logoId, looks }: LookProps) {
  const t = useTranslations('domains')
  return (
    <div className="grid gap-6">
      <ChoiceCards
        name={field('styleTemplate')}
        label={t('styleTemplate')}
        options={looks.map(({ code, light, dark }) => ({
          value: code,
          label: t.has(`styles.${code}` as 'styles.default') ? t(`styles.${code}` as 'styles.default') : code,
          picture: (
            <span aria-hidden="true" className="flex overflow-hidden rounded-control border border-line">
              {[light.brand, light.tint, dark.brand, dark.tint].map((color) => (
                <span key={color} style={{ backgroundColor: color }} className="h-8 grow" />
              ))}
            </span>
          ),
        }))}
      />
      <ChoiceCards
        name={field('imageCode')}
        label={t('imageCode')}
        hint={logoId ? t('imageCodeLogo') : t('imageCodeHint')}
        options={imageCodes.map((code) => ({
          value: code,
          label: t(`marks.${code}`),
          picture: <Mark code={code} className="size-9 text-brand" />,
        }))}
      />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium text-table">{t('logo')}</legend>
        <PictureField
          title={t('logoOf', { name })}
          picture={logoId}
          missing={null}
          params={{ id }}
          load={() =>
            import('@/lib/site/domains/contract').then(({ patchDomainLogo, deleteDomainLogo }) => ({
              replace: patchDomainLogo,
              remove: deleteDomainLogo,
            }))
          }
          logo={{ rule: logoRule, preview: logoId ? <Mark logo={logoId} className="size-14" /> : null }}
        />
        <p className="text-ink-second text-note">{t('logoHint')}</p>
      </fieldset>
      <FormText mono name={field('publicDocsUrl')} label={t('publicDocsUrl')} hint={t('helpHint')} maxLength={2000} />
      <FormSwitch name={field('cookie')} label={t('cookie')} hint={t('cookieHint')} />
    </div>
  )
}

/** Agreements with their purposes, and other documents. */
export function DocumentsTab() {
  const t = useTranslations('domains')
  const agreements = useRemote('documents', { type: 'agreement' })
  const documents = useRemote('documents', { type: 'document' })
  const hiddenNote = (option: { off?: boolean } | undefined) =>
    option?.off ? <span className="text-note text-warning">{t('documentHidden')}</span> : null
  return (
    <div className="grid gap-7">
      <OrderedField
        name={field('agreements')}
        label={t('agreements')}
        hint={t('agreementsHint')}
        search={agreements}
        add={t('addAgreement')}
        none={t('noAgreements')}
        idOf={({ agreementId }) => agreementId}
        made={(agreementId) => ({
          agreementId,
          loginRequired: false,
          footerVisible: true,
          menuVisible: false,
          profileVisible: true,
        })}
        told={(agreement) =>
          agreementFlags
            .filter((flag) => agreement[flag])
            .map((flag) => t(`flags.${flag}`))
            .join(', ')
        }
        below={(agreement, change, option) => (
          <>
            {hiddenNote(option)}
            <fieldset
              aria-label={option?.label ?? agreement.agreementId}
              className="grid gap-x-4 gap-y-2 @min-[28rem]:grid-cols-2"
            >
              {agreementFlags.map((flag) => (
                <label
                  key={flag}
                  htmlFor={`${agreement.agreementId}-${flag}`}
                  className="flex cursor-pointer items-center gap-2.5 text-table"
                >
                  <CheckboxBox
                    id={`${agreement.agreementId}-${flag}`}
                    checked={agreement[flag] === true}
                    onCheckedChange={(checked) => change({ ...agreement, [flag]: checked === true })}
                  />
                  {t(`flags.${flag}`)}
                </label>
              ))}
            </fieldset>
          </>
        )}
      />
      <OrderedField
        name={field('documents')}
        label={t('documents')}
        hint={t('documentsHint')}
        search={documents}
        add={t('addDocument')}
        none={t('noDocuments')}
        idOf={(id) => id}
        made={(id) => id}
        below={(_, __, option) => hiddenNote(option)}
      />
    </div>
  )
}
