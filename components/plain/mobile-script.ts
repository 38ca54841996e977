import type { splitMobile } from '@/lib/base/text/mobile-country'

/**
 * What the script of a public page does for a mobile: it chooses the country of a number that begins with +, and takes
 * the calling code out of it. It is sent as it stands here.
 */
export function mobileScript(split: typeof splitMobile) {
  for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-country-of]')) {
    const field = document.getElementById(select.dataset.countryOf ?? '') as HTMLInputElement | null
    const countries = [...select.options].map(({ value, dataset: { calling = '' } }) => ({
      code: value,
      callingCode: calling,
    }))
    if (!field) continue
    const takeCountry = () => {
      const { country, rest } = split(field.value, countries, select.value)
      if (rest === field.value) return
      select.value = country
      field.value = rest
    }
    field.addEventListener('input', takeCountry)
    // it may have been typed before this script came
    takeCountry()
  }
}
