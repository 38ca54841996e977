/** Runs in the browser as an inline script: once the page has loaded, the browser stores the offline page. */
function keep(address: string) {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return
  window.addEventListener('load', () => {
    navigator.serviceWorker
      .register(address, { scope: '/platform/' })
      .catch((error) => console.warn('the offline page is not kept', error))
  })
}

/** OfflinePage for public pages, whose scripts must stay small; `nonce` is that of the page. */
export const OfflineScript = ({ variant, nonce }: { variant: string; nonce: string | undefined }) => (
  <script
    nonce={nonce}
    data-page-script
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own function, with an address of our own
    dangerouslySetInnerHTML={{
      __html: `(${keep})(${JSON.stringify(`/platform/sw.js?${encodeURIComponent(variant)}`)})`,
    }}
  />
)
