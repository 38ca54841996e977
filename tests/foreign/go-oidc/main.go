// A client as go-oidc and golang.org/x/oauth2 make it: without PKCE, the secret by Basic.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	provider := must(oidc.NewProvider(ctx, os.Getenv("ISSUER")))
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	fmt.Println(config.AuthCodeURL("a state", oidc.Nonce("a nonce")))

	line := must(bufio.NewReader(os.Stdin).ReadString('\n'))
	back := must(url.Parse(strings.TrimSpace(line)))
	if back.Query().Get("state") != "a state" {
		panic("another state")
	}
	token := must(config.Exchange(ctx, back.Query().Get("code")))
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	idToken := must(verifier.Verify(ctx, token.Extra("id_token").(string)))
	if idToken.Nonce != "a nonce" {
		panic("another nonce")
	}
	var claims struct {
		Sid string `json:"sid"`
	}
	must(0, idToken.Claims(&claims))
	info := must(provider.UserInfo(ctx, oauth2.StaticTokenSource(token)))

	// six requests that meet, each renewing by itself
	renewed := make(chan string, 6)
	for range 6 {
		go func() {
			old := &oauth2.Token{RefreshToken: token.RefreshToken, Expiry: time.Unix(1, 0)}
			renewed <- must(config.TokenSource(ctx, old).Token()).RefreshToken
		}()
	}
	next := <-renewed
	same := next != token.RefreshToken
	for range 5 {
		same = same && <-renewed == next
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"sub": idToken.Subject, "sid": claims.Sid, "userinfo": info.Subject, "renewed": same,
	}))
}
