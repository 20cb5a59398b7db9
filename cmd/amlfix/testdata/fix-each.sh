#!/bin/sh
# Makes every fix that amlfix finds here and below, one at a time.
while id=$(amlfix --format concise --verbose | sed -n 's/.* \[\(unsafe \)\{0,1\}fix \([0-9a-f]\{10\}\)\]$/\2/p' | head -n 1) && [ -n "$id" ]
do
  amlfix fix "$id" || exit
done
