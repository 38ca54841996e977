/** Passes a file to the browser, which saves it in the person's download folder. */
export function saveFile(file: Blob, name = file instanceof File ? file.name : '') {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}
